// A lending heap hands out blocks of its source as they are. Sizes and addresses are the source's,
// and either of the two can take back any block that is large enough. Freelists are such heaps. A
// lending heap is told by its source's get_size(): a heap that changes blocks has one of its own.
#pragma once

#include <concepts>

#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class H, class Source>
concept LendingHeap = SizedHeap<H> && SizedHeap<Source> && requires {
  requires std::same_as<decltype(&H::get_size), decltype(&Source::get_size)>;
};

}  // namespace mmt::layers
