// Composition that reads from where memory comes from to where it is asked for:
//
//     using Cached = Pipe<MmapHeap, Chunk<65536>, Size, StrictSeg<PowersOfTwo<20>, Freelist>>;
//
// A stage is a class with a template `Over<Super>`, the layer above that super-heap. Layers without
// parameters get theirs by Stage.
#pragma once

#include <mmt/layers/heap.h>

namespace mmt::layers {

template <template <class> class Layer>
struct Stage {
  template <class Super>
  using Over = Layer<Super>;
};

namespace detail {

template <class Heap, class... Stages>
struct PipeOf {
  using type = Heap;
};
template <class Heap, class First, class... Rest>
struct PipeOf<Heap, First, Rest...> {
  using type = typename PipeOf<typename First::template Over<Heap>, Rest...>::type;
};

}  // namespace detail

template <class Source, class... Stages>
using Pipe = typename detail::PipeOf<Source, Stages...>::type;

// Several stages as one, for where one is asked for.
template <class... Stages>
struct Stack {
  template <class Super>
  using Over = Pipe<Super, Stages...>;
};

}  // namespace mmt::layers
