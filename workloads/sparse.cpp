// sparse: buffers that are asked for in full and used in part, as a server's for its connections.
// All stay alive, in a table each thread; pages are touched that lie anywhere in them.
// Metrics: peak (bytes resident at most), wanted (bytes of the pages that were touched), fill
// (seconds, pauses not counted).
#include <pthread.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "common/clock.h"
#include "common/flags.h"
#include "common/process.h"
#include "common/report.h"
#include "common/rng.h"
#include "common/table.h"

namespace {

using namespace mmt::workloads;

constexpr const char* kProgram = "sparse";
constexpr uint64_t kPage = 4096;
constexpr uint64_t kMostThreads = 64;

struct Plan {
  std::string_view call;
  uint64_t size;
  uint64_t count;    // of buffers, for each thread
  uint64_t touched;  // pages of each
  uint64_t dense;    // buffers that are filled first
  uint64_t pause_us;
};

unsigned char* take(const Plan& plan) {
  void* buffer;
  if (plan.call == "calloc") {
    buffer = std::calloc(plan.size, 1);
  } else if (plan.call == "realloc") {
    buffer = std::realloc(std::malloc(plan.size / 8), plan.size / 2);
    buffer = std::realloc(buffer, plan.size);
  } else if (plan.call == "aligned") {
    buffer = std::aligned_alloc(kPage, plan.size);
  } else {
    buffer = std::malloc(plan.size);
  }
  if (buffer == nullptr) std::abort();
  return static_cast<unsigned char*>(buffer);
}

struct Worker {
  const Plan* plan;
  uint64_t seed;
  double seconds;
};

// Numbers of pages come twice where the places are drawn again.
void touch(const Plan& plan, unsigned char* buffer, uint64_t pages, Rng places) {
  for (uint64_t i = 0; i < pages; ++i) {
    const uint64_t at = places.below(plan.size / kPage) * kPage;
    buffer[at] = static_cast<unsigned char>(at / kPage % 251 + 1);
  }
}

void check(const Plan& plan, const unsigned char* buffer, uint64_t pages, Rng places) {
  for (uint64_t i = 0; i < pages; ++i) {
    const uint64_t at = places.below(plan.size / kPage) * kPage;
    require(buffer[at] == at / kPage % 251 + 1, kProgram, "a page is not as it was written");
  }
}

void* work(void* argument) {
  auto& worker = *static_cast<Worker*>(argument);
  const Plan& plan = *worker.plan;
  Table<unsigned char*> buffers(plan.count);
  Stopwatch watch;
  for (uint64_t i = 0; i < plan.count; ++i) {
    buffers[i] = take(plan);
    const uint64_t pages = i < plan.dense ? plan.size / kPage : 0;
    for (uint64_t page = 0; page < pages; ++page)
      buffers[i][page * kPage] = static_cast<unsigned char>(page % 251 + 1);
    touch(plan, buffers[i], plan.touched, Rng(worker.seed + i));
    if (plan.pause_us != 0) {
      worker.seconds += watch.lap();
      ::usleep(static_cast<useconds_t>(plan.pause_us));
      watch.lap();
    }
  }
  worker.seconds += watch.lap();
  for (uint64_t i = 0; i < plan.count; ++i)
    check(plan, buffers[i], plan.touched, Rng(worker.seed + i));
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  Plan plan{};
  plan.call = flags.text("call", "malloc", {"malloc", "calloc", "realloc", "aligned"});
  plan.size = flags.number("size", 256 << 10);
  const uint64_t bytes = flags.number("bytes", 256 << 20);
  plan.touched = flags.number("touched", 1);
  const uint64_t dense_bytes = flags.number("dense", 0);
  plan.pause_us = flags.number("pause-us", 0);
  const uint64_t threads = flags.number("threads", 1);
  flags.finish();
  require(threads != 0 && threads <= kMostThreads && plan.size >= 2 * kPage, kProgram,
          "1 to 64 threads, and buffers of 8 KiB at least");
  plan.count = bytes / plan.size / threads;
  plan.dense = dense_bytes / plan.size / threads;

  pthread_t handles[kMostThreads];
  Worker workers[kMostThreads];
  for (uint64_t i = 0; i < threads; ++i) {
    workers[i] = {&plan, i << 32, 0};
    if (threads > 1) {
      require(pthread_create(&handles[i], nullptr, work, &workers[i]) == 0, kProgram, "no thread");
    } else {
      work(&workers[i]);
    }
  }
  double seconds = 0;
  for (uint64_t i = 0; i < threads; ++i) {
    if (threads > 1) pthread_join(handles[i], nullptr);
    seconds += workers[i].seconds;
  }
  const uint64_t pages = plan.count * plan.touched + plan.dense * (plan.size / kPage);
  Report report(kProgram);
  report.add("peak", static_cast<double>(peak_resident_bytes()), "bytes");
  report.add("wanted", static_cast<double>(threads * pages * kPage), "bytes");
  report.add("fill", seconds / static_cast<double>(threads), "s");
  return report.finish();
}
