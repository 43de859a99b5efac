#include "latency/recorder.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace mmt::latency {
namespace {

// Whether there is a page to count in. Release where it is settled, acquire where that is asked: a
// thread that sees kSettled sees `mapped`.
enum class State : uint32_t {
  kUnknown,  // nobody has looked yet
  kMapping,  // a thread looks; calls meanwhile are not counted
  kSettled,  // `mapped` is right for good
};

std::atomic<State> state{State::kUnknown};
std::atomic<CallPage*> mapped{nullptr};
constinit thread_local uint32_t own_shard = kShards;  // kShards: none yet

// The calls of this thread that ended last.
struct Ended {
  Call call;
  uint64_t ticks;
};
constexpr uint32_t kRemembered = 64;
constinit thread_local Ended ended[kRemembered] = {};
constinit thread_local uint32_t ended_count = 0;  // ever, modulo 2^32

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

CallCounts& counts_of(CallPage& page, Call call) {
  if (own_shard == kShards) {
    own_shard = page.next_shard.fetch_add(1, std::memory_order_relaxed) % kShards;
  }
  return page.shards[own_shard][static_cast<uint32_t>(call)];
}

// Adds a call, or takes it back with `sign` -1.
void count(CallPage& page, const Ended& one, uint64_t sign) {
  CallCounts& counts = counts_of(page, one.call);
  counts.buckets[bucket_of(one.ticks)].fetch_add(sign, std::memory_order_relaxed);
  counts.total.fetch_add(sign * one.ticks, std::memory_order_relaxed);
  if (one.ticks > page.long_ticks) {
    counts.in_long_calls.fetch_add(sign * one.ticks, std::memory_order_relaxed);
  }
}

// A program that makes no call is counted as a process all the same.
__attribute__((constructor)) void start() { call_page(); }

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

uint32_t begin_call() { return ended_count; }

void end_call(CallPage& page, uint32_t mark, Call call, uint64_t ticks) {
  // A signal handler that comes here meanwhile adds its calls behind these.
  const uint32_t until = ended_count;
  const uint32_t first = until - mark > kRemembered ? until - kRemembered : mark;
  for (uint32_t i = first; i != until; ++i) count(page, ended[i % kRemembered], ~uint64_t{0});
  const Ended one{call, ticks};
  ended[mark % kRemembered] = one;
  ended_count = mark + 1;
  count(page, one, 1);
  // What was inside of it may have been the maximum; it took longer than that.
  CallCounts& counts = counts_of(page, call);
  uint64_t max = counts.max.load(std::memory_order_relaxed);
  while (ticks > max && !counts.max.compare_exchange_weak(max, ticks, std::memory_order_relaxed)) {
  }
}

}  // namespace mmt::latency
