// Chris Kingsley's allocator (1982) of 4.2BSD, composed: powers of two, header included, and one
// list each; memory is never given back. Fast, with up to half of it wasted.
#pragma once

#include <mmt/layers/combine/strict_seg_heap.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/system_heap.h>

namespace mmt::layers {

using Kingsley = Stack<Chunk<4096, 8>, Size, StrictSeg<PowersOfTwo<43>, Freelist>>;

template <class Source = SystemHeap>
using KingsleyHeap = Pipe<Source, Kingsley>;

}  // namespace mmt::layers
