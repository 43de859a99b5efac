// genome: rebuilds a gene from its segments. Step 1 drops equal segments by a hash set; step 2
// links those that overlap, the longest overlaps first, by a table of starts for each length; step
// 3 writes the chains down. The check: what comes out is the gene.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>

#include "stm/common/hash_table.h"
#include "stm/common/world.h"
#include "stm/stamp/result.h"

namespace mmt::workloads::stm::genome {

struct Parameters {
  size_t gene;      // characters
  size_t segment;   // characters
  size_t segments;  // at least so many
};

inline Parameters parameters_of(Size size) {
  return by_size<Parameters>(size, {256, 16, 16384}, {4096, 32, 1048576}, {16384, 64, 16777216});
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

struct Input {
  std::string gene;
  char* text;  // all segments, each with its 0
  std::vector<char*> segments;
};

inline Input make_input(const Parameters& asked) {
  Random random(0);
  Input input;
  input.gene.resize(asked.gene);
  for (char& one : input.gene) one = "acgt"[random.below(4)];
  const size_t places = asked.gene - asked.segment + 1;
  std::vector<size_t> starts(asked.segments);
  std::vector<bool> taken(places);
  for (size_t& start : starts) {
    start = random.below(places);
    taken[start] = true;
  }
  const auto also = [&](size_t start) {
    starts.push_back(start);
    taken[start] = true;
  };
  if (!taken[0]) also(0);
  // Neighbours overlap by a character at least.
  size_t last = 0;
  for (size_t at = 1; at < places; ++at) {
    if (!taken[at] && (at - last == asked.segment - 1 || at == places - 1)) also(at);
    if (taken[at]) last = at;
  }
  const size_t bytes = asked.segment + 1;
  input.text = static_cast<char*>(plain_allocate(starts.size() * bytes));
  input.segments.resize(starts.size());
  for (size_t i = 0; i < starts.size(); ++i) {
    char* const segment = input.text + i * bytes;
    std::memcpy(segment, input.gene.data() + starts[i], asked.segment);
    segment[asked.segment] = '\0';
    input.segments[i] = segment;
  }
  return input;
}

template <class World>
class Sequencer {
 public:
  Sequencer(World& world, const Parameters& asked, const Input& input)
      : world_(world), asked_(asked), input_(input) {
    Plain plain;
    unique_ = table_create(plain, asked.gene, compare_segments);
    by_start_.resize(asked.segment);
    for (size_t length = 1; length < asked.segment; ++length) {
      by_start_[length] = table_create(plain, asked.gene, compare_addresses);
    }
    by_hash_ = table_create(plain, asked.gene, compare_addresses);
    const size_t most = std::min(input.segments.size(), asked.gene - asked.segment + 1);
    entries_ = static_cast<Entry*>(plain_allocate(most * sizeof(Entry)));
    most_ = most;
    for (size_t i = 0; i < most; ++i) {
      entries_[i] = {1, nullptr, 0, &entries_[i], nullptr, &entries_[i], 0, asked.segment, 1};
    }
  }
  ~Sequencer() {
    Plain plain;
    for (size_t i = 0; i < unique_->count; ++i) {
      for (ListNode* node = unique_->buckets[i]->head.next; node != nullptr; node = node->next) {
        plain_free(node->data);
      }
    }
    table_destroy(plain, unique_);
    for (size_t length = 1; length < asked_.segment; ++length) {
      table_destroy(plain, by_start_[length]);
    }
    table_destroy(plain, by_hash_);
    plain_free(entries_);
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

  const std::string& sequence() const { return sequence_; }
  size_t count() const { return count_; }

 private:
  static constexpr size_t kStep = 12;  // inserts a transaction

  template <class Worker>
  void drop_equal(Worker& worker, unsigned number) {
    const Share share(input_.segments.size(), number, world_.threads());
    for (size_t i = share.begin; i < share.end; i += kStep) {
      const size_t end = std::min(share.end, i + kStep);
      worker.run([&](auto& tx) {
        for (size_t at = i; at < end; ++at) {
          char* const segment = input_.segments[at];
          table_insert_pair(tx, unique_, hash_of(segment, asked_.segment), segment, segment);
        }
      });
    }
  }

  template <class Worker>
  void enter_unique(Worker& worker, unsigned number) {
    const Share share(unique_->count, number, world_.threads());
    size_t at = Share(most_, number, world_.threads()).begin;
    for (size_t bucket = share.begin; bucket < share.end; ++bucket) {
      for (const ListNode* node = unique_->buckets[bucket]->head.next; node != nullptr;
           node = node->next) {
        char* const segment = static_cast<char*>(static_cast<const Pair*>(node->data)->key);
        at = worker.run([&](auto& tx) { return claim(tx, segment, at); });
        Entry* const entry = &entries_[at];
        at = at + 1 == most_ ? 0 : at + 1;
        uint64_t hash = 0;
        for (size_t length = 1; length < asked_.segment; ++length) {
          hash = static_cast<uint64_t>(static_cast<unsigned char>(segment[length - 1])) +
                 (hash << 6) + (hash << 16) - hash;
          worker.run([&](auto& tx) { table_insert(tx, by_start_[length], hash, entry); });
        }
        hash = hash_of(segment, asked_.segment);
        worker.run([&](auto& tx) { table_insert(tx, by_hash_, hash, entry); });
      }
    }
  }

  // There is a free one: no more segments differ than there are entries.
  template <class Tx>
  size_t claim(Tx& tx, char* segment, size_t from) {
    size_t at = from;
    while (tx.read(entries_[at].segment) != nullptr) at = at + 1 == most_ ? 0 : at + 1;
    tx.write(entries_[at].segment, segment);
    return at;
  }

  void note_end_hashes(size_t length) {
    for (size_t i = 0; i < most_; ++i) {
      Entry& entry = entries_[i];
      if (entry.segment == nullptr || entry.is_end == 0 || length == 0) continue;
      entry.end_hash = hash_of(entry.segment + asked_.segment - length, length);
    }
  }

  template <class Worker>
  void link(Worker& worker, unsigned number, size_t length) {
    const HashTable* const starts = by_start_[length];
    const Share share(most_, number, world_.threads());
    for (size_t i = share.begin; i < share.end; ++i) {
      Entry* const end = &entries_[i];
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

  void write_down() {
    for (size_t i = 0; i < most_; ++i) {
      if (entries_[i].segment != nullptr) ++count_;
      if (entries_[i].segment == nullptr || entries_[i].is_start == 0) continue;
      size_t overlap = 0;
      for (const Entry* entry = &entries_[i]; entry != nullptr; entry = entry->next) {
        sequence_.append(entry->segment + overlap);
        overlap = entry->overlap;
      }
    }
  }

  World& world_;
  const Parameters asked_;
  const Input& input_;
  HashTable* unique_;
  std::vector<HashTable*> by_start_;
  HashTable* by_hash_;
  Entry* entries_;
  size_t most_;
  size_t count_ = 0;
  std::string sequence_;
};

template <class World>
Result run(World& world, Size size) {
  const Parameters asked = parameters_of(size);
  Input input = make_input(asked);
  Result result;
  {
    Sequencer<World> sequencer(world, asked, input);
    Stopwatch clock;
    world.parallel([&](auto& worker, unsigned number) { sequencer.work(worker, number); });
    result.seconds = clock.lap();
    result.right = sequencer.sequence() == input.gene;
    result.numbers = {{"segments", input.segments.size()}, {"unique", sequencer.count()}};
  }
  plain_free(input.text);
  return result;
}

}  // namespace mmt::workloads::stm::genome
