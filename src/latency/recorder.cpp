#include "latency/recorder.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace mmt::latency {
namespace {

enum class State : uint32_t { kUnknown, kMapping, kSettled };

std::atomic<State> state{State::kUnknown};
std::atomic<CallPage*> mapped{nullptr};
constinit thread_local uint32_t own_shard = kShards;  // kShards: none yet

CallPage* map_page() {
  const char* path = std::getenv(kPageVariable);
  if (path == nullptr) return nullptr;
  const int file = ::open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  void* memory = MAP_FAILED;
  if (::lseek(file, 0, SEEK_END) == static_cast<off_t>(sizeof(CallPage))) {
    memory = ::mmap(nullptr, sizeof(CallPage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  ::close(file);
  if (memory == MAP_FAILED) return nullptr;
  auto* page = static_cast<CallPage*>(memory);
  if (page->magic != kPageMagic) return nullptr;
  page->processes.fetch_add(1, std::memory_order_relaxed);
  return page;
}

}  // namespace

CallPage* call_page() {
  if (state.load(std::memory_order_acquire) == State::kSettled) {
    return mapped.load(std::memory_order_relaxed);
  }
  // The loader allocates before libc has found the environment.
  State expected = State::kUnknown;
  if (environ == nullptr || !state.compare_exchange_strong(expected, State::kMapping)) {
    return nullptr;
  }
  const int saved_errno = errno;
  mapped.store(map_page(), std::memory_order_relaxed);
  state.store(State::kSettled, std::memory_order_release);
  errno = saved_errno;
  return mapped.load(std::memory_order_relaxed);
}

void record(CallPage& page, Call call, uint64_t ticks) {
  if (own_shard == kShards) {
    own_shard = page.next_shard.fetch_add(1, std::memory_order_relaxed) % kShards;
  }
  CallCounts& counts = page.shards[own_shard][static_cast<uint32_t>(call)];
  counts.buckets[bucket_of(ticks)].fetch_add(1, std::memory_order_relaxed);
  counts.total.fetch_add(ticks, std::memory_order_relaxed);
  if (ticks > page.long_ticks) counts.in_long_calls.fetch_add(ticks, std::memory_order_relaxed);
  uint64_t max = counts.max.load(std::memory_order_relaxed);
  while (ticks > max && !counts.max.compare_exchange_weak(max, ticks, std::memory_order_relaxed)) {
  }
}

}  // namespace mmt::latency
