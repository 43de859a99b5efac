// All entries that were ever made, by number. A thread that looks for work goes through them,
// without a lock. Entries are added by any thread and never removed; their own states say whose
// they are.
//
// An adder calls reserve(), makes the entry, and calls add(). A look finds what was added before
// it; a number whose entry is still being made, or never will be, has none. All zero is valid:
// empty.
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

inline constexpr OrderSite kRegistryAdd{"registry.add", std::memory_order_release,
                                        "kRegistryAt: an entry is complete before it is found"};
inline constexpr OrderSite kRegistryAt{
    "registry.at", std::memory_order_acquire,
    "kRegistryAdd: an entry is looked at only after it was completed"};

template <class T, uint32_t kMost, class Sync = RealSync>
class Registry {
 public:
  // Any thread: a number for one more, below kMost. False: there is none.
  bool reserve(uint32_t* number) {
    // Relaxed: numbers need only be distinct, and nothing is read by the count: see at().
    if (count_.load(kRelaxed) >= kMost) return false;
    *number = count_.fetch_add(1, kRelaxed);
    if (*number < kMost) return true;
    count_.store(kMost, kRelaxed);  // so that it never runs over
    return false;
  }

  // The thread that has the number calls it.
  void add(uint32_t number, T* entry) { entries_[number].store(entry, Sync::order(kRegistryAdd)); }

  // Any thread may call it. Relaxed: a thread that misses an entry that is being added would have
  // found it empty. The memory thread's last look before it sleeps misses none: see begin_park in
  // parker.h.
  uint32_t count() const {
    const uint32_t count = count_.load(kRelaxed);
    return count < kMost ? count : kMost;
  }
  // nullptr: not there yet. number < count().
  T* at(uint32_t number) const { return entries_[number].load(Sync::order(kRegistryAt)); }

 private:
  typename Sync::template Atomic<T*> entries_[kMost]{};
  typename Sync::template Atomic<uint32_t> count_{};
};

}  // namespace mmt::sync
