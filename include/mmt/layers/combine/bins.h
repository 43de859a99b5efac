// An array of bins, each a heap that gives out what it was given and no more. What a bin holds goes
// back to the target when the array ends, and what a bin does not want, at once.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <mmt/layers/adapt/return_heap.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/null_heap.h>

namespace mmt::layers {

template <size_t kCount, class BinStage, class Target>
class Bins {
  // Bins that keep all need not know the target, and are a word smaller.
  static constexpr bool kKeepsAll = kIsKeepingAll<typename BinStage::template Over<NullHeap>>;
  using Source = std::conditional_t<kKeepsAll, NullHeap, ReturnHeap<Target>>;

 public:
  using Bin = typename BinStage::template Over<Source>;
  static_assert(Heap<Bin>, "Bins: a bin has no malloc(size_t) and free(void*)");

  explicit Bins(Target& target) : Bins(target, std::make_index_sequence<kCount>()) {}
  Bins(const Bins&) = delete;
  Bins& operator=(const Bins&) = delete;
  ~Bins() {
    for (Bin& bin : bins_) {
      while (void* block = bin.malloc(0)) target_.free(block);
    }
  }

  Bin& operator[](size_t c) { return bins_[c]; }

  // Forgets what the bins hold.
  void clear() {
    for (Bin& bin : bins_) bin.clear();
  }

 private:
  template <size_t... kIndex>
  Bins(Target& target, std::index_sequence<kIndex...>)
      : target_(target), bins_{(static_cast<void>(kIndex), make(target))...} {}

  static Bin make([[maybe_unused]] Target& target) {
    if constexpr (kKeepsAll) return Bin();
    if constexpr (!kKeepsAll) return Bin(target);
  }

  Target& target_;
  Bin bins_[kCount];
};

}  // namespace mmt::layers
