// genome: rebuilds a gene from its segments. Step 1 drops equal segments by a hash set. Step 2
// links those that overlap, the longest overlaps first, by a table of starts for each length. Step
// 3 writes the chains down. The check: what comes out is the gene, and no segment was dropped but
// for an equal one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_set>

#include "stm/common/bitmap.h"
#include "stm/common/hash_table.h"
#include "stm/common/vector.h"
#include "stm/common/world.h"
#include "stm/stamp/result.h"

namespace mmt::workloads::stm::genome {

struct Parameters {
  size_t gene;      // characters
  size_t segment;   // characters
  size_t segments;  // at least so many
};

inline Parameters parameters_of(Size size) {
  return by_size<Parameters>(size, {256, 16, 16384}, {4096, 32, 524288}, {4096, 32, 1048576},
                             {16384, 64, 16777216});
}

// sdbm
inline uint64_t hash_of(const char* text, size_t length) {
  uint64_t hash = 0;
  for (size_t i = 0; i < length; ++i) {
    hash = static_cast<uint64_t>(static_cast<unsigned char>(text[i])) + (hash << 6) + (hash << 16) -
           hash;
  }
  return hash;
}

inline uint64_t hash_of_text(const void* text) {
  return hash_of(static_cast<const char*>(text), std::strlen(static_cast<const char*>(text)));
}

inline long compare_segments(const void* left, const void* right) {
  return std::strcmp(static_cast<const char*>(static_cast<const Pair*>(left)->key),
                     static_cast<const char*>(static_cast<const Pair*>(right)->key));
}

// A chain of segments; its first entry knows the last, and the last the first.
struct Entry {
  uint64_t is_start;
  char* segment;
  uint64_t end_hash;  // of the last characters, as many as are looked for now
  Entry* first;
  Entry* next;
  Entry* last;
  uint64_t overlap;  // with next
  uint64_t length;   // of the chain
  uint64_t is_end;
};

struct Gene {
  size_t length;
  char* characters;  // without a 0
  Bitmap* starts;    // of segments
};
static_assert(sizeof(Gene) == 24);

struct Segments {
  size_t length;
  size_t least;      // how many were asked for
  Vector* contents;  // all of them
  char* text;        // where those that were asked for lie, each with its 0
};
static_assert(sizeof(Segments) == 32);

struct Input {
  Gene* gene;
  Segments* segments;
};

inline char* add_segment(const Input& input, size_t start, char* to) {
  std::memcpy(to, input.gene->characters + start, input.segments->length);
  to[input.segments->length] = '\0';
  Plain plain;
  vector_push(plain, input.segments->contents, to);
  bitmap_set(input.gene->starts, start);
  return to;
}

inline Input make_input(const Parameters& asked) {
  Plain plain;
  Random random(0);
  Gene* const gene = static_cast<Gene*>(plain_allocate(sizeof(Gene)));
  *gene = {asked.gene, static_cast<char*>(plain_allocate(asked.gene)),
           bitmap_create(plain, asked.gene)};
  for (size_t i = 0; i < asked.gene; ++i) gene->characters[i] = "acgt"[random.below(4)];
  const size_t bytes = asked.segment + 1;
  Segments* const segments = static_cast<Segments*>(plain_allocate(sizeof(Segments)));
  *segments = {asked.segment, asked.segments, vector_create(plain, asked.segments),
               static_cast<char*>(plain_allocate(asked.segments * bytes))};
  const Input input{gene, segments};
  const size_t places = asked.gene - asked.segment + 1;
  for (size_t i = 0; i < asked.segments; ++i) {
    add_segment(input, random.below(places), segments->text + i * bytes);
  }
  const auto also = [&](size_t start) {
    add_segment(input, start, static_cast<char*>(plain_allocate(bytes)));
  };
  if (!bitmap_has(gene->starts, 0)) also(0);
  // Neighbours overlap by a character at least.
  size_t last = 0;
  for (size_t at = 1; at < places; ++at) {
    const bool far = at - last == asked.segment - 1 || at == places - 1;
    if (!bitmap_has(gene->starts, at) && far) also(at);
    if (bitmap_has(gene->starts, at)) last = at;
  }
  return input;
}

inline void free_input(const Input& input) {
  Plain plain;
  const Vector* const contents = input.segments->contents;
  for (size_t i = input.segments->least; i < contents->size; ++i) {
    plain_free(contents->elements[i]);
  }
  vector_destroy(plain, input.segments->contents);
  plain_free(input.segments->text);
  plain_free(input.segments);
  bitmap_destroy(plain, input.gene->starts);
  plain_free(input.gene->characters);
  plain_free(input.gene);
}

// This counts how many of the segments differ, by where they start.
inline size_t count_different(const Input& input) {
  const Gene& gene = *input.gene;
  std::unordered_set<std::string_view> seen;
  for (size_t at = 0; at + input.segments->length <= gene.length; ++at) {
    if (bitmap_has(gene.starts, at)) seen.insert({gene.characters + at, input.segments->length});
  }
  return seen.size();
}

// Eight words, as all of this lies on the heap.
struct Tables {
  PairSet* unique;
  HashTable** by_start;  // by length
  HashTable* by_hash;
  Entry* entries;
  size_t most;  // entries
  size_t count;
  char* sequence;
  size_t length;  // of the sequence
};
static_assert(sizeof(Tables) == 64);

template <class World>
class Sequencer {
 public:
  Sequencer(World& world, const Parameters& asked, const Input& input)
      : world_(world),
        asked_(asked),
        contents_(*input.segments->contents),
        tables_(*static_cast<Tables*>(plain_allocate(sizeof(Tables)))) {
    Plain plain;
    tables_ = {};
    tables_.unique = set_create(plain, asked.gene, hash_of_text, compare_segments);
    tables_.by_start = static_cast<HashTable**>(plain_allocate(asked.segment * sizeof(HashTable*)));
    for (size_t length = 1; length < asked.segment; ++length) {
      tables_.by_start[length] = table_create(plain, asked.gene, compare_addresses);
    }
    tables_.by_hash = table_create(plain, asked.gene, compare_addresses);
    tables_.most = std::min(contents_.size, asked.gene - asked.segment + 1);
    tables_.entries = static_cast<Entry*>(plain_allocate(tables_.most * sizeof(Entry)));
    for (size_t i = 0; i < tables_.most; ++i) {
      Entry& entry = tables_.entries[i];
      entry = {1, nullptr, 0, &entry, nullptr, &entry, 0, asked.segment, 1};
    }
  }
  ~Sequencer() {
    Plain plain;
    set_destroy(plain, tables_.unique);
    for (size_t length = 1; length < asked_.segment; ++length) {
      table_destroy(plain, tables_.by_start[length]);
    }
    plain_free(tables_.by_start);
    table_destroy(plain, tables_.by_hash);
    plain_free(tables_.entries);
    plain_free(tables_.sequence);
    plain_free(&tables_);
  }
  Sequencer(const Sequencer&) = delete;
  Sequencer& operator=(const Sequencer&) = delete;

  template <class Worker>
  void work(Worker& worker, unsigned number) {
    drop_equal(worker, number);
    world_.wait();
    enter_unique(worker, number);
    world_.wait();
    if (number == 0) note_end_hashes(asked_.segment - 1);
    world_.wait();
    for (size_t length = asked_.segment - 1; length > 0; --length) {
      link(worker, number, length);
      world_.wait();
      if (number == 0) note_end_hashes(length - 1);
      world_.wait();
    }
    if (number == 0) write_down();
  }

  bool is_right(const Input& input) const {
    const Gene& gene = *input.gene;
    return tables_.count == count_different(input) && tables_.length == gene.length &&
           std::memcmp(tables_.sequence, gene.characters, gene.length) == 0;
  }
  size_t count() const { return tables_.count; }

 private:
  static constexpr size_t kStep = 12;  // inserts a transaction

  template <class Worker>
  void drop_equal(Worker& worker, unsigned number) {
    const Share share(contents_.size, number, world_.threads());
    for (size_t i = share.begin; i < share.end; i += kStep) {
      const size_t end = std::min(share.end, i + kStep);
      worker.run([&](auto& tx) {
        for (size_t at = i; at < end; ++at) {
          set_insert(tx, tables_.unique, contents_.elements[at], contents_.elements[at]);
        }
      });
    }
  }

  template <class Worker>
  void enter_unique(Worker& worker, unsigned number) {
    const Share share(tables_.unique->count, number, world_.threads());
    size_t at = Share(tables_.most, number, world_.threads()).begin;
    for (size_t bucket = share.begin; bucket < share.end; ++bucket) {
      for (const ListNode* node = tables_.unique->buckets[bucket]->head.next; node != nullptr;
           node = node->next) {
        char* const segment = static_cast<char*>(static_cast<const Pair*>(node->data)->key);
        at = worker.run([&](auto& tx) { return claim(tx, segment, at); });
        Entry* const entry = &tables_.entries[at];
        at = at + 1 == tables_.most ? 0 : at + 1;
        uint64_t hash = 0;
        for (size_t length = 1; length < asked_.segment; ++length) {
          hash = static_cast<uint64_t>(static_cast<unsigned char>(segment[length - 1])) +
                 (hash << 6) + (hash << 16) - hash;
          worker.run([&](auto& tx) { table_insert(tx, tables_.by_start[length], hash, entry); });
        }
        hash = hash_of(segment, asked_.segment);
        worker.run([&](auto& tx) { table_insert(tx, tables_.by_hash, hash, entry); });
      }
    }
  }

  // There is a free one: no more segments differ than there are entries.
  template <class Tx>
  size_t claim(Tx& tx, char* segment, size_t from) {
    size_t at = from;
    while (tx.read(tables_.entries[at].segment) != nullptr)
      at = at + 1 == tables_.most ? 0 : at + 1;
    tx.write(tables_.entries[at].segment, segment);
    return at;
  }

  void note_end_hashes(size_t length) {
    for (size_t i = 0; i < tables_.most; ++i) {
      Entry& entry = tables_.entries[i];
      if (entry.segment == nullptr || entry.is_end == 0 || length == 0) continue;
      entry.end_hash = hash_of(entry.segment + asked_.segment - length, length);
    }
  }

  template <class Worker>
  void link(Worker& worker, unsigned number, size_t length) {
    const HashTable* const starts = tables_.by_start[length];
    const Share share(tables_.most, number, world_.threads());
    for (size_t i = share.begin; i < share.end; ++i) {
      Entry* const end = &tables_.entries[i];
      if (end->segment == nullptr || end->is_end == 0) continue;
      const ListNode* node = starts->buckets[end->end_hash % starts->count]->head.next;
      for (; node != nullptr; node = node->next) {
        Entry* const start = static_cast<Entry*>(node->data);
        if (worker.run([&](auto& tx) { return join(tx, end, start, length); })) break;
      }
    }
  }

  template <class Tx>
  bool join(Tx& tx, Entry* end, Entry* start, size_t length) {
    if (tx.read(start->is_start) == 0 || tx.read(end->is_end) == 0) return false;
    Entry* const first = tx.read(end->first);
    if (first == start) return false;  // of the same chain
    const char* const tail = end->segment + asked_.segment - length;
    if (std::memcmp(tail, start->segment, length) != 0) return false;
    Entry* const last = tx.read(start->last);
    tx.write(start->is_start, 0);
    tx.write(end->is_end, 0);
    tx.write(end->next, start);
    tx.write(end->overlap, length);
    tx.write(first->last, last);
    tx.write(last->first, first);
    tx.write(first->length, tx.read(first->length) + tx.read(start->length) - length);
    return true;
  }

  // Chains one after the other.
  void write_down() {
    for (size_t i = 0; i < tables_.most; ++i) {
      const Entry& entry = tables_.entries[i];
      if (entry.segment == nullptr) continue;
      ++tables_.count;
      if (entry.is_start != 0) tables_.length += entry.length;
    }
    tables_.sequence = static_cast<char*>(plain_allocate(tables_.length + 1));
    char* to = tables_.sequence;
    for (size_t i = 0; i < tables_.most; ++i) {
      if (tables_.entries[i].segment == nullptr || tables_.entries[i].is_start == 0) continue;
      size_t overlap = 0;
      for (const Entry* entry = &tables_.entries[i]; entry != nullptr; entry = entry->next) {
        to = std::copy(entry->segment + overlap, entry->segment + asked_.segment, to);
        overlap = entry->overlap;
      }
    }
    *to = '\0';
  }

  World& world_;
  const Parameters asked_;
  const Vector& contents_;
  Tables& tables_;
};

template <class World>
Result run(World& world, Size size) {
  const Parameters asked = parameters_of(size);
  const Input input = make_input(asked);
  Result result;
  {
    Sequencer<World> sequencer(world, asked, input);
    Stopwatch clock;
    world.parallel([&](auto& worker, unsigned number) { sequencer.work(worker, number); });
    result.seconds = clock.lap();
    result.right = sequencer.is_right(input);
    result.numbers = {{"segments", input.segments->contents->size}, {"unique", sequencer.count()}};
  }
  free_input(input);
  return result;
}

}  // namespace mmt::workloads::stm::genome
