// churn: a steady heap. Each step frees the block in a random place and puts a new one there.
// - --variant steady  every thread keeps its own places.
// - --variant larson  rounds of short-lived threads. Each takes over the places, and so the blocks,
//                     that another thread filled in the round before.
//
// Blocks are written at both ends and in a line between, and checked at both ends when freed.
// Metric: op, wall nanoseconds for one step of one thread.
#include <pthread.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "common/clock.h"
#include "common/flags.h"
#include "common/report.h"
#include "common/rng.h"
#include "common/table.h"

namespace {

using namespace mmt::workloads;

constexpr const char* kProgram = "churn";
constexpr uint64_t kMaxThreads = 64;
constexpr uint64_t kLine = 64;

struct Place {
  unsigned char* block;
  uint64_t size;
};

struct Load {
  bool mixed;
  uint64_t steps;
};

unsigned char mark_of(uint64_t size) { return static_cast<unsigned char>(size * 167 + 13); }

void fill(Place* place, uint64_t size) {
  auto* block = static_cast<unsigned char*>(std::malloc(size));
  if (block == nullptr) std::abort();
  block[0] = block[size - 1] = mark_of(size);
  if (size > 2 * kLine) *reinterpret_cast<uint64_t*>(block + (size / 2 & ~(kLine - 1))) = size;
  *place = {block, size};
}

void drop(Place* place) {
  if (place->block == nullptr) return;
  unsigned char mark = mark_of(place->size);
  if (place->block[0] != mark || place->block[place->size - 1] != mark) {
    require(false, kProgram, "a block was changed by somebody else");
  }
  std::free(place->block);
  place->block = nullptr;
}

uint64_t pick_size(Rng* rng, bool mixed) {
  return mixed ? rng->log_uniform(16, 32768) : rng->between(16, 256);
}

void churn(Table<Place>* places, const Load& load, Rng* rng) {
  for (uint64_t step = 0; step < load.steps; ++step) {
    Place* place = &(*places)[rng->below(places->size())];
    drop(place);
    fill(place, pick_size(rng, load.mixed));
  }
}

// Aligned so that no two workers write to one cache line, nor to the pair that is fetched with it.
struct alignas(128) Worker {
  pthread_t thread;
  Table<Place>* places;
  Load load;
  Rng rng{1};

  static void* run(void* self) {
    auto* worker = static_cast<Worker*>(self);
    churn(worker->places, worker->load, &worker->rng);
    return nullptr;
  }
};

void run_all(Worker* workers, uint64_t count) {
  if (count == 1) {
    Worker::run(&workers[0]);
    return;
  }
  for (uint64_t i = 0; i < count; ++i) {
    if (pthread_create(&workers[i].thread, nullptr, Worker::run, &workers[i]) != 0) std::abort();
  }
  for (uint64_t i = 0; i < count; ++i) pthread_join(workers[i].thread, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  bool larson = flags.text("variant", "steady", {"steady", "larson"}) == "larson";
  bool mixed = flags.text("sizes", "small", {"small", "mixed"}) == "mixed";
  uint64_t threads = std::clamp<uint64_t>(flags.number("threads", 1), 1, kMaxThreads);
  uint64_t places = std::max<uint64_t>(flags.number("slots", mixed ? 10'000 : 100'000), 1);
  uint64_t steps = flags.number("steps", 20'000'000);
  uint64_t rounds = flags.number("rounds", larson ? 40 : 1);
  flags.finish();

  Table<Place>* tables[kMaxThreads];
  Worker workers[kMaxThreads];
  for (uint64_t i = 0; i < threads; ++i) tables[i] = new Table<Place>(places);
  for (uint64_t i = 0; i < threads; ++i) {
    workers[i].places = tables[i];
    workers[i].rng = Rng(i + 1);
    workers[i].load = {mixed, places * 4};
  }
  run_all(workers, threads);  // Fills the places and warms the heap.

  uint64_t steps_a_round = std::max<uint64_t>(steps / std::max<uint64_t>(rounds, 1), 1);
  Stopwatch watch;
  for (uint64_t round = 1; round <= rounds; ++round) {
    for (uint64_t i = 0; i < threads; ++i) {
      workers[i].places = tables[larson ? (i + round) % threads : i];
      workers[i].load.steps = steps_a_round;
    }
    run_all(workers, threads);
  }
  double passed = watch.lap();
  for (uint64_t i = 0; i < threads; ++i) {
    for (Place& place : *tables[i]) drop(&place);
    delete tables[i];
  }

  Report report(kProgram);
  report.add("op",
             1e9 * passed / static_cast<double>(steps_a_round * std::max<uint64_t>(rounds, 1)),
             "ns");
  return report.finish();
}
