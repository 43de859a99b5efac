// One visible step of a modelled thread: announced by the thread, chosen and carried out by the
// explorer. Plain accesses are no steps: a race on them shows in every schedule that has the same
// happens-before.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace mmt::model {

class Memory;

struct Operation {
  enum class Kind : uint8_t {
    kNone,
    kLoad,
    kStore,
    kModify,   // read-modify-write; a failing compare-exchange is only a load
    kFence,    // seq_cst: the others touch nothing but the thread's own view
    kBarrier,  // the caller's share of a fence on all threads: it and thread `operand`
    kFutexWait,
    kFutexWake,
    kAwait,  // until a location read in this round of a loop has a newer store
    kJoin,
    kChoose,  // `operand` ways to go on
    kKill,    // ends all other threads, as fork does in the child
  };
  enum class Change : uint8_t { kExchange, kAdd, kSub, kOr, kAnd, kCompareExchange };

  Kind kind = Kind::kNone;
  Change change = Change::kExchange;
  int location = -1;
  std::memory_order order = std::memory_order_relaxed;
  std::memory_order failure = std::memory_order_relaxed;
  uint64_t operand = 0;
  uint64_t expected = 0;
  uint64_t mask = ~uint64_t{0};  // the width of the value
  const char* site = nullptr;
};

// Would a kModify that reads `value` write?
bool writes(const Operation& op, uint64_t value);
uint64_t changed(const Operation& op, uint64_t value);

// "store a2 = 1 release (spsc_ring.publish)".
std::string describe(const Operation& op);

}  // namespace mmt::model
