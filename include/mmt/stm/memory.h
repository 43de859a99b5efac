// A transactional memory: what its threads share. Words belong to the memory whose transactions
// use them, and to no other at the same time. A memory outlives its threads. Its orecs take eight
// bytes each, page by page as they are used.
#pragma once

#include <new>
#include <stdexcept>

#include <mmt/stm/shared.h>
#include <mmt/stm/statistics.h>
#include <mmt/stm/thread_list.h>

namespace mmt::stm {

class Thread;

class Memory {
 public:
  // std::invalid_argument for options out of range, std::bad_alloc without memory for the orecs.
  explicit Memory(const Options& options = {}) : shared_(checked(options)) {
    if (!shared_.orecs.ready()) throw std::bad_alloc();
    if (options.attribute_aborts && !shared_.attribution.on()) throw std::bad_alloc();
  }

  const Options& options() const { return shared_.options; }

  // Any thread, at any time: numbers of threads that run are those of some moment just past.
  Statistics statistics() {
    Statistics sum = threads_.sum();
    sum.roll_overs = shared_.roll_overs.load(sync::kRelaxed);
    return sum;
  }

  // Any thread: the index, below 2^log2_orecs, of the orec that guards an address.
  size_t orec_of(const void* at) const {
    return shared_.orecs.index_of(reinterpret_cast<uintptr_t>(at));
  }

 private:
  friend class Thread;

  static Options checked(Options options) {
    if (!options.valid()) throw std::invalid_argument("mmt::stm::Options: a value is out of range");
    if (options.design == Design::kNorec) options.deferred_clock = false;
    return options;
  }

  Shared<RealWorld> shared_;
  ThreadList threads_;
};

}  // namespace mmt::stm
