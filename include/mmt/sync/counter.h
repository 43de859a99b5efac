// A number that one thread writes and any thread reads: statistics at the price of a plain add.
// Relaxed throughout: nothing follows from a value but the value. All zero is valid.
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

template <class Sync = RealSync>
class Counter {
 public:
  // The writer calls it.
  void add(uint64_t n = 1) { value_.store(value_.load(kRelaxed) + n, kRelaxed); }
  void sub(uint64_t n = 1) { value_.store(value_.load(kRelaxed) - n, kRelaxed); }
  void set(uint64_t value) { value_.store(value, kRelaxed); }

  // Any thread may call it.
  uint64_t get() const { return value_.load(kRelaxed); }

 private:
  typename Sync::template Atomic<uint64_t> value_{};
};

}  // namespace mmt::sync
