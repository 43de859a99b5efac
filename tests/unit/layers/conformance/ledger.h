// The ledger is the memory behind the counting sources, and the books on it. Each block has guards
// before and behind, and is filled when it is given out and when it comes back. A block that came
// back waits a while, so that a layer that writes where it must not is caught. Complaints are kept
// for the check that runs. Any thread may call the ledger.
//
// Two heaps of a composition may each have a source. Blocks belong to the source that asked.
#pragma once

#include <cstddef>
#include <string>

namespace mmt::layers::conformance {

struct LedgerTotals {
  size_t live_blocks = 0;
  size_t live_bytes = 0;
  size_t peak_bytes = 0;
  size_t requests = 0;
  size_t frees = 0;
};

// No source gives more at once: sizes that a layer got wrong are refused, as by a real system.
inline constexpr size_t kMostBytes = size_t{64} << 20;

class Ledger {
 public:
  struct Request {
    const void* source;
    size_t asked;
    size_t usable;  // at least that
    size_t alignment;
    size_t skew;
  };

  // Null when the plan of faults says so, or the size is absurd.
  static void* give(const Request& request);
  // `asked`: what the layer says the size was; kUnsaid if it says nothing.
  static void take_back(const void* source, void* block, size_t asked = kUnsaid);
  static void take_back_all(const void* source);
  static size_t usable_size(const void* source, const void* block);
  static bool has(const void* source, const void* address);

  static LedgerTotals totals();
  // Empties the books, with what is still out: a check that found a leak must not spoil the next.
  static void reset();
  // A layer of the tests calls this to complain.
  static void complain(const char* what, const void* block);
  // What was wrong since reset(), one a line.
  static std::string complaints();

  static constexpr size_t kUnsaid = static_cast<size_t>(-1);
};

}  // namespace mmt::layers::conformance
