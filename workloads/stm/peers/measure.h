// The same operations run on the same sets, under one transactional memory or another. The measure
// is a round of each, in seconds an operation. It is time of the CPU where one thread runs, else of
// the clock. `Worker` is one thread's. Its run(body) is a transaction, whose body is given what
// reads, writes, allocates and frees.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "common/clock.h"
#include "common/rng.h"
#include "stm/common/world.h"
#include "stm/synthetic/structures.h"

namespace mmt::workloads::stm {

struct Round {
  std::string_view structure;  // list, hash, tree
  uint64_t elements;           // of twice as many values
  uint64_t updates;            // percent
  uint64_t operations;         // of each thread
  unsigned threads;
};

// Negative: the set is broken.
double measure_ours(const Round& round);
double measure_libitm(const Round& round);
double measure_plain(const Round& round);  // one thread, no transactions
bool has_libitm();

template <class Set, class MakeWorker>
double seconds_an_operation(const Round& round, MakeWorker&& make_worker) {
  Set set;
  Plain plain;
  Rng random(1);
  for (uint64_t count = 0; count < round.elements;) {
    count += set.insert(plain, random.below(2 * round.elements)) ? 1 : 0;
  }
  std::vector<uint64_t> sizes(round.threads);  // what each thread added
  Pool pool(round.threads);
  const auto now = round.threads == 1 ? cpu_seconds : wall_seconds;
  const double begin = now();
  pool.run([&](unsigned number) {
    auto worker = make_worker();
    Rng own(2 + number);
    bool inserted = false;
    uint64_t last = 0;
    for (uint64_t i = 0; i < round.operations; ++i) {
      const bool update = own.below(100) < round.updates;
      const uint64_t value = own.below(2 * round.elements);
      if (!update) {
        worker.run([&](auto& tx) { return set.contains(tx, value); });
      } else if (!inserted) {
        inserted = worker.run([&](auto& tx) { return set.insert(tx, value); });
        last = value;
      } else {
        inserted = !worker.run([&](auto& tx) { return set.remove(tx, last); });
      }
    }
    sizes[number] = inserted ? 1 : 0;
  });
  const double seconds = now() - begin;
  uint64_t size = round.elements;
  for (const uint64_t one : sizes) size += one;
  if (set.check() != static_cast<int64_t>(size)) return -1;
  return seconds / static_cast<double>(round.operations);
}

template <class MakeWorker>
double seconds_of(const Round& round, MakeWorker&& make_worker) {
  if (round.structure == "list") return seconds_an_operation<ListSet>(round, make_worker);
  if (round.structure == "hash") return seconds_an_operation<HashSet>(round, make_worker);
  return seconds_an_operation<TreeSet>(round, make_worker);
}

}  // namespace mmt::workloads::stm
