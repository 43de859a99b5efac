#pragma once
// The file in which libmmt-latency.so counts how long calls of the allocator take. `mmt bench`
// makes the file, empty and of this size, and names it in kPageVariable. Every process and thread
// of the program adds to it. `mmt bench` reads it when the program has ended.
//
// Threads are spread over shards, so that few share one; all counts are atomic, relaxed: they are
// read once nobody writes any more.
#include <atomic>
#include <cstdint>

#include "interprocess/histogram.h"

namespace mmt::latency {

inline constexpr const char* kPageVariable = "MMT_BENCH_CALLS";
inline constexpr uint64_t kPageMagic = 0x4D4D544341'4C4C01;  // "MMTCALL", version 1
inline constexpr uint32_t kShards = 64;
// Calls of more are counted apart, with the time they took.
inline constexpr double kLongCallNs = 10'000;

enum class Call : uint32_t { kAllocate, kFree };
inline constexpr uint32_t kCalls = 2;

// The counts of one kind of call. Times are in ticks of core::ticks_before().
struct alignas(64) CallCounts {
  std::atomic<uint64_t> buckets[kBuckets];
  std::atomic<uint64_t> total;
  std::atomic<uint64_t> in_long_calls;
  std::atomic<uint64_t> max;
};

struct CallPage {
  uint64_t magic;       // the reader's
  uint64_t long_ticks;  // kLongCallNs; the reader's
  std::atomic<uint32_t> processes;
  std::atomic<uint32_t> next_shard;
  CallCounts shards[kShards][kCalls];
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace mmt::latency
