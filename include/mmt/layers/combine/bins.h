// An array of bins, each a heap that gives out what it was given and no more. What a bin holds goes
// back to the target when the array ends, and what a bin does not want, at once. The target
// outlives the array, which is for one thread.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <mmt/layers/adapt/return_heap.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/null_heap.h>

namespace mmt::layers {

namespace detail {

template <size_t kCount, class Bin, class Target, bool kKeepsAll>
struct BinArray {
  constexpr explicit BinArray(Target& target)
      : BinArray(target, std::make_index_sequence<kCount>()) {}
  template <size_t... kIndex>
  constexpr BinArray(Target& target, std::index_sequence<kIndex...>)
      : bins{(static_cast<void>(kIndex), Bin(target))...} {}
  Bin bins[kCount];
};
template <size_t kCount, class Bin, class Target>
struct BinArray<kCount, Bin, Target, true> {
  constexpr explicit BinArray(Target&) {}
  Bin bins[kCount]{};
};

}  // namespace detail

template <size_t kCount, class BinStage, class Target>
class Bins {
  // Bins that keep all need not know the target, and are a word smaller.
  static constexpr bool kKeepsAll = kIsKeepingAll<typename BinStage::template Over<NullHeap>>;
  using Source = std::conditional_t<kKeepsAll, NullHeap, ReturnHeap<Target>>;

 public:
  using Bin = typename BinStage::template Over<Source>;
  static_assert(Heap<Bin>, "Bins: a bin has no malloc(size_t) and free(void*)");

  constexpr explicit Bins(Target& target) : target_(target), array_(target) {}
  Bins(const Bins&) = delete;
  Bins& operator=(const Bins&) = delete;
  ~Bins() {
    for (Bin& bin : array_.bins) {
      while (void* block = bin.malloc(0)) target_.free(block);
    }
  }

  Bin& operator[](size_t c) { return array_.bins[c]; }

  // Forgets what the bins hold.
  void clear() {
    for (Bin& bin : array_.bins) bin.clear();
  }

 private:
  Target& target_;
  detail::BinArray<kCount, Bin, Target, kKeepsAll> array_;
};

}  // namespace mmt::layers
