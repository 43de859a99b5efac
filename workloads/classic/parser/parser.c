#include "classic/parser/parser.h"

#include <stdio.h>
#include <stdlib.h>

#include "classic/parser/allocation.h"
#include "classic/parser/linkage.h"

static int by_place(const void* a, const void* b) {
  const struct Link* first = *(const struct Link* const*)a;
  const struct Link* second = *(const struct Link* const*)b;
  if (first->left_word != second->left_word) return first->left_word - second->left_word;
  return first->right_word - second->right_word;
}

// Writes the links in order of their words.
static void write_links(const struct Linkage* linkage, struct ParseResult* result) {
  struct Link* links[2 * kMostWords];
  size_t count = 0, length = 0;
  for (struct Link* at = linkage->last; at != NULL; at = at->before) {
    if (count == sizeof links / sizeof links[0]) parser_fail(kStatusWrong, "too many links");
    links[count++] = at;
  }
  qsort(links, count, sizeof links[0], by_place);
  result->links[0] = '\0';
  for (size_t i = 0; i < count; ++i) {
    const int written =
        snprintf(result->links + length, sizeof result->links - length, "%s(%s %s %s)",
                 i == 0 ? "" : " ", linkage->entries[links[i]->left_word]->word,
                 links[i]->left->name, linkage->entries[links[i]->right_word]->word);
    if (written < 0 || (size_t)written >= sizeof result->links - length) {
      parser_fail(kStatusWrong, "too many links to write down");
    }
    length += (size_t)written;
  }
}

void parser_open(void) { xalloc_open(); }

void parser_parse(const struct Dictionary* dictionary, const char* text, uint64_t most,
                  struct ParseResult* result) {
  struct Sentence sentence;
  struct Matcher matcher;
  struct Counter counter;
  struct Linkage linkage;
  sentence_read(&sentence, dictionary, text);
  sentence_prune_choices(&sentence);
  sentence_expand(&sentence);
  sentence_prune_disjuncts(&sentence);
  matcher_open(&matcher, &sentence);
  counter_open(&counter, &matcher);
  result->words = sentence.count;
  result->linkages = linkage_count(&counter, &sentence);
  result->cost = 0;
  result->links[0] = '\0';
  if (result->linkages > 0) {
    linkage_take_best(&counter, &sentence, result->linkages, most, &linkage);
    result->cost = linkage.cost;
    write_links(&linkage, result);
    linkage_drop(&linkage);
  }
  counter_close(&counter);
  matcher_close(&matcher);
  xfree_all();
}
