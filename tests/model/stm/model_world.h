// ModelWorld: the policy that makes the designs of mmt/stm run under the explorer. A word is a
// location of the model; only whole ones are accessed. The explorer knows seq_cst of fences alone:
// a seq_cst access is one of those and the access, in the order that compilers for POWER choose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <mmt/stm/design/table.h>
#include <mmt/stm/fast_read.h>
#include <mmt/stm/world.h>

#include "checker/model_sync.h"

namespace mmt::model {

// An atomic with seq_cst accesses.
template <class T>
class OrderedAtomic {
 public:
  OrderedAtomic() = default;
  OrderedAtomic(T value) : atomic_(value) {}  // NOLINT: as std::atomic

  T load(std::memory_order order) const {
    fence_for(order);
    return atomic_.load(order);
  }
  void store(T value, std::memory_order order) {
    fence_for(order);
    atomic_.store(value, order);
  }
  T fetch_add(T value, std::memory_order order) {
    fence_for(order);
    return atomic_.fetch_add(value, order);
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order order,
                               std::memory_order failure) {
    fence_for(order);
    return atomic_.compare_exchange_strong(expected, desired, order, failure);
  }

 private:
  static void fence_for(std::memory_order order) {
    Explorer* const explorer = Explorer::current();
    if (order != std::memory_order_seq_cst || explorer->running_thread() < 0) return;
    const char* const site = detail::g_site;
    explorer->fence(order, site);
    detail::g_site = site;
  }

  ModelAtomic<T> atomic_;
};

// kOrdered: with seq_cst accesses as such; otherwise they acquire and release, and no more. What
// holds so needs no more. kFast: a read tries what is inlined in programs first.
template <bool kOrdered, stm::Fault kFault = stm::Fault::kNone, bool kFast = false>
struct ModelWorld : ModelSync {
  template <class T>
  using Atomic = std::conditional_t<kOrdered, OrderedAtomic<T>, ModelAtomic<T>>;
  using Word = ModelAtomic<uint64_t>;

  static constexpr uint32_t kMostThreads = 3;
  static constexpr int kPatience = 1;
  static constexpr stm::Fault kPlanted = kFault;
  static constexpr bool kReadsFast = kFast;

  // A check may be left out, to see that no other finds what it finds.
  static inline std::string_view left_out;
  static void require(bool condition, const char* text) {
    if (text != left_out) ModelSync::require(condition, text);
  }

  static uint64_t load(const Word* word, stm::Part) { return word->load(order(stm::kWordLoad)); }
  template <size_t kBytes>
  static stm::RawOf<kBytes> load_raw(const void* at) {
    static_assert(kBytes == 8);
    return load(static_cast<const Word*>(at), stm::kWholeWord);
  }
  static void store(Word* word, uint64_t value, uint64_t) {
    word->store(value, order(stm::kWordStore));
  }
  template <class Done>
  static void wait_until(Done&& done) {
    await(done);
  }
  template <class T>
  static T* make_array(size_t count) {
    return new T[count];
  }
  template <class T>
  static void free_array(T* array, size_t) {
    delete[] array;
  }
};

// A memory with two words under two orecs, wherever the scenario lies.
template <class World>
struct TwoWords {
  explicit TwoWords(stm::Design design, bool deferred, uint64_t clock_limit = 1000)
      : shared(options(design, deferred, clock_limit)),
        operations(stm::operations_of<World>(design, false)) {
    if constexpr (requires { World::plant(operations); }) World::plant(operations);
  }

  static stm::Options options(stm::Design design, bool deferred, uint64_t clock_limit) {
    stm::Options options;
    options.design = design;
    options.log2_orecs = 1;
    options.shift = 5;
    options.deferred_clock = deferred;
    options.clock_limit = clock_limit;
    return options;
  }

  alignas(64) typename World::Word x;
  alignas(32) typename World::Word y;
  stm::Shared<World> shared;
  stm::Operations<World> operations;  // a mutant plants its own
};

// One attempt: once an operation says no, it is rolled back, and what follows does nothing.
template <class World>
class ModelAttempt {
 public:
  using Word = typename World::Word;

  ModelAttempt(TwoWords<World>& memory, int self, bool read_only = false)
      : memory_(memory), d_(memory.shared, static_cast<uint32_t>(self)) {
    d_.keep_reads(!read_only);
    memory_.operations.begin(d_);
    d_.set_fast_reads(World::kReadsFast && memory_.operations.fast_reads);
  }
  uint64_t read(const Word& at) {
    uint64_t value = 0;
    if constexpr (World::kReadsFast) {
      if (stm::read_fast<8>(d_, &at, &value)) return value;
    }
    if (runs_ && !memory_.operations.read(d_, &at, stm::kWholeWord, &value)) roll_back();
    return value;
  }
  void write(Word& at, uint64_t value) {
    if (runs_ && !memory_.operations.write(d_, &at, value, ~uint64_t{0})) roll_back();
  }
  bool commit() {
    if (runs_ && !memory_.operations.commit(d_)) roll_back();
    return runs_;
  }
  void roll_back() {
    memory_.operations.roll_back(d_);
    d_.set_fast_reads(false);
    runs_ = false;
  }
  void commit_alone() { World::require(commit(), "a lone writer commits"); }
  bool runs() const { return runs_; }

 private:
  TwoWords<World>& memory_;
  stm::Descriptor<World> d_;
  bool runs_ = true;
};

}  // namespace mmt::model
