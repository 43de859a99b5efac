// Walks a heap that has CoalesceHeap in it, and compares what its boundary tags say with one
// another and with what the layers between hold. For tests and diagnosis: it takes as long as there
// are blocks, and no other thread may be in the heap.
#pragma once

#include <cstddef>

#include <mmt/layers/fit/coalesce_heap.h>
#include <mmt/layers/header/boundary_tags.h>
#include <mmt/layers/header/pieced_memory.h>

namespace mmt::layers {

struct CoalesceCensus {
  const char* fault = nullptr;  // null: all is as it should be
  size_t used_blocks = 0;       // those that a ThresholdHeap keeps are in use
  size_t used_bytes = 0;
  size_t free_blocks = 0;
  size_t free_bytes = 0;  // both without the top
  size_t held_blocks = 0;

  void require(bool is_right, const char* what) {
    if (!is_right && fault == nullptr) fault = what;
  }
};

// The blocks of one piece, from its beginning to its end or to the top.
template <class H>
void count_piece(const H& heap, Piece* piece, CoalesceCensus& census) {
  using Tags = BoundaryTags;
  const char* end = piece->end();
  size_t free_before = 0;  // the size of the block before, if that is free
  for (char* block = piece->first();;) {
    census.require(Tags::is_previous_free(block) == (free_before != 0), "mark of the block before");
    if (free_before != 0) census.require(Tags::foot_before(block) == free_before, "foot");
    census.require(!Tags::is_free(block) || free_before == 0, "free neighbours");
    if (block == end)
      return census.require((Tags::word_of(block) & ~Tags::kPreviousFree) == 0, "end");
    if (heap.is_top(block)) return census.require(Tags::is_free(block), "top");

    const size_t size = Tags::get_size(block);
    census.require(size == Tags::size_for(size), "size");
    census.require(size < static_cast<size_t>(end - block), "size beyond the piece");
    if (census.fault != nullptr) return;
    (Tags::is_free(block) ? census.free_blocks : census.used_blocks) += 1;
    (Tags::is_free(block) ? census.free_bytes : census.used_bytes) += size;
    free_before = Tags::is_free(block) ? size : 0;
    block = static_cast<char*>(Tags::block_behind(block, size));
  }
}

template <class H>
CoalesceCensus take_census(const H& heap) {
  CoalesceCensus census;
  heap.for_each_piece([&](Piece* piece) { count_piece(heap, piece, census); });
  if (census.fault != nullptr) return census;
  const bool is_right = heap.for_each_held([&](void* block) {
    ++census.held_blocks;
    census.require(BoundaryTags::is_free(block), "a block in use is held");
  });
  census.require(is_right, "links or bins");
  census.require(census.held_blocks == census.free_blocks, "free blocks that are not held");
  return census;
}

}  // namespace mmt::layers
