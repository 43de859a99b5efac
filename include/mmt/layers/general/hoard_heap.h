// This is an allocator for threads after Hoard (Berger and others, 2000), composed of layers.
// Superblocks of one size class each are owned by the heap of a thread or by the global one. Large
// blocks lie in mappings of their own. A superblock has kSuperblock bytes, a power of two of at
// least a page. Any thread may use the allocator, without a lock around it.
#pragma once

#include <mmt/core/checked.h>
#include <mmt/layers/general/hoard/geometric_classes.h>
#include <mmt/layers/general/hoard/granule_heap.h>
#include <mmt/layers/general/hoard/large_object_heap.h>
#include <mmt/layers/general/hoard/superblock.h>
#include <mmt/layers/general/hoard/superblock_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/thread/recursive_lock.h>

namespace mmt::layers {

// Two blocks of the largest class fill a superblock.
template <size_t kSuperblock>
using HoardClasses =
    GeometricClasses<core::align_down((kSuperblock - sizeof(Superblock)) / 2, kBlockAlignment)>;

template <size_t kSuperblock = 65536, size_t kHeaps = 16, class Lock = RecursiveLock>
using Hoard = Stack<Granules<kSuperblock, Lock>,                            // aligned memory
                    LargeObjects,                                           // one block each
                    Superblocks<HoardClasses<kSuperblock>, kHeaps, Lock>>;  // small blocks

template <class Source = MmapHeap>
using HoardHeap = Pipe<Source, Hoard<>>;

}  // namespace mmt::layers
