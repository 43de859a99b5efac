// The linkages of a region are numbered as counter_count adds them up. The order is by word, then
// match, then the way to the left, then what is to the right.
#include "classic/parser/linkage.h"

#include "classic/parser/allocation.h"

struct Taker {
  struct Counter* counter;
  struct Linkage* linkage;
};

static struct Region whole(const struct Sentence* sentence, const struct Disjunct* wall) {
  const struct Region region = {0, sentence->count, wall->right, NULL};
  return region;
}

uint64_t linkage_count(struct Counter* counter, const struct Sentence* sentence) {
  uint64_t total = 0;
  for (const struct Disjunct* wall = sentence->disjuncts[0]; wall != NULL; wall = wall->next) {
    const struct Region region = whole(sentence, wall);
    total = count_sum(total, counter_count(counter, &region));
  }
  return total;
}

static void use(const struct Taker* taker, int word, const struct Disjunct* disjunct) {
  taker->linkage->cost += disjunct->cost;
  taker->linkage->entries[word] = disjunct->entry;
}

static void add_link(const struct Taker* taker, int left_word, int right_word,
                     const struct Connector* left, const struct Connector* right) {
  struct Link* link = PARSER_NEW(struct Link);
  link->before = taker->linkage->last;
  link->left_word = left_word;
  link->right_word = right_word;
  link->left = left->type;
  link->right = right->type;
  taker->linkage->last = link;
}

static void take(const struct Taker* taker, const struct Region* region, uint64_t index);

// Takes number `index` of all ways together.
static void take_way(const struct Taker* taker, const struct Way* ways, uint64_t index) {
  while (index >= ways->count) index -= (ways++)->count;
  take(taker, &ways->region, index);
}

// Takes number *index of this match, or subtracts how many there are and returns false.
static bool take_match(const struct Taker* taker, const struct Region* region, int word,
                       const struct Match* match, uint64_t* index) {
  const struct Disjunct* disjunct = match->disjunct;
  struct Way lefts[kMostWays], rights[kMostWays + 1];
  int left_count = 1, right_count = 0;
  if (match->left) {
    left_count = counter_ways_left(taker->counter, region, word, disjunct, lefts);
  } else {
    const struct Region to_left = {region->left_word, word, region->left, disjunct->left};
    lefts[0].region = to_left;
    lefts[0].count = counter_count(taker->counter, &to_left);
  }
  // rights[0] is the way without a link to the right end.
  const struct Region to_right = {word, region->right_word, disjunct->right, region->right};
  rights[0].region = to_right;
  rights[0].count = match->left ? counter_count(taker->counter, &to_right) : 0;
  if (match->right) {
    right_count = counter_ways_right(taker->counter, region, word, disjunct, rights + 1);
  }
  uint64_t left = 0, right = 0;
  for (int i = 0; i < left_count; ++i) left = count_sum(left, lefts[i].count);
  for (int i = 0; i <= right_count; ++i) right = count_sum(right, rights[i].count);
  const uint64_t all = count_product(left, right);
  if (*index >= all) {
    *index -= all;
    return false;
  }
  use(taker, word, disjunct);
  if (match->left) {
    add_link(taker, region->left_word, word, region->left, disjunct->left);
  }
  take_way(taker, lefts, *index / right);
  const uint64_t at_right = *index % right;
  if (at_right >= rights[0].count) {
    add_link(taker, word, region->right_word, disjunct->right, region->right);
  }
  take_way(taker, rights, at_right);
  return true;
}

static void take(const struct Taker* taker, const struct Region* region, uint64_t index) {
  if (region->left_word + 1 == region->right_word) return;
  int first = 0, last = 0;
  counter_words(region, &first, &last);
  bool taken = false;
  for (int word = first; word <= last && !taken; ++word) {
    struct Match* matches = matcher_find(taker->counter->matcher, word, region);
    for (const struct Match* at = matches; at != NULL && !taken; at = at->next) {
      taken = take_match(taker, region, word, at, &index);
    }
    matcher_drop(matches);
  }
  if (!taken) parser_fail(kStatusWrong, "a linkage that was counted is not there");
}

void linkage_take(struct Counter* counter, const struct Sentence* sentence, uint64_t index,
                  struct Linkage* linkage) {
  const struct Taker taker = {counter, linkage};
  linkage->last = NULL;
  linkage->cost = 0;
  const struct Disjunct* wall = sentence->disjuncts[0];
  for (; wall != NULL; wall = wall->next) {
    const struct Region region = whole(sentence, wall);
    const uint64_t count = counter_count(counter, &region);
    if (index < count) {
      use(&taker, 0, wall);
      take(&taker, &region, index);
      return;
    }
    index -= count;
  }
  parser_fail(kStatusWrong, "no linkage of that number");
}

void linkage_drop(struct Linkage* linkage) {
  while (linkage->last != NULL) {
    struct Link* before = linkage->last->before;
    xfree(linkage->last);
    linkage->last = before;
  }
}

void linkage_take_best(struct Counter* counter, const struct Sentence* sentence, uint64_t count,
                       uint64_t most, struct Linkage* linkage) {
  uint64_t best = 0;
  int least = 0;
  for (uint64_t i = 0; i < count && i < most; ++i) {
    linkage_take(counter, sentence, i, linkage);
    if (i == 0 || linkage->cost < least) {
      best = i;
      least = linkage->cost;
    }
    linkage_drop(linkage);
  }
  linkage_take(counter, sentence, best, linkage);
}
