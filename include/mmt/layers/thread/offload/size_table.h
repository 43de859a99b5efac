// These are size classes over any heap. A class is told from what a block can hold, not from what
// was asked for. So a freed block finds its class without a record of the request. Sizes to 1024
// bytes are classed by 8 bytes, greater ones in eight steps a doubling. The heap is asked once
// which class serves a request. Where the heap rounds up, all requests that get the same size share
// the class.
//
// One thread calls probe(), before any other call; after it any thread may call.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/layers/heap.h>

namespace mmt::layers {

class SizeTable {
 public:
  static constexpr size_t kLargest = 32768;
  static constexpr uint32_t kClasses = 169;

  // The last class whose blocks hold at most `size`; 8 <= size. kClasses and more: too large for
  // any.
  static constexpr uint32_t floor_class(size_t size) {
    if (size <= kFine) return static_cast<uint32_t>(size / 8);
    const auto log = static_cast<uint32_t>(std::bit_width(size)) - 1;
    return kFineClasses + (log - kFineLog) * 8 + static_cast<uint32_t>(size >> (log - 3) & 7);
  }
  // What each block of a class holds at least.
  static constexpr size_t lower_bound(uint32_t c) {
    if (c <= kFineClasses) return size_t{c} * 8;
    const uint32_t step = c - kFineClasses;
    return size_t{8 + step % 8} << (kFineLog - 3 + step / 8);
  }

  // The class that serves a request; bytes <= kLargest.
  uint32_t class_of(size_t bytes) const { return serves_[ceil_class(bytes)]; }

  template <class Heap>
  void probe(Heap& heap) {
    for (uint32_t c = 1; c < kClasses; ++c) {
      const uint32_t got = floor_class(real_size(heap, lower_bound(c)));
      serves_[c] = static_cast<uint8_t>(got < kClasses ? got : c);
    }
    serves_[0] = serves_[1];
  }

 private:
  static constexpr size_t kFine = 1024;
  static constexpr uint32_t kFineLog = 10;
  static constexpr uint32_t kFineClasses = 128;

  static constexpr uint32_t ceil_class(size_t bytes) {
    return bytes <= kFine ? static_cast<uint32_t>((bytes + 7) / 8) : floor_class(bytes - 1) + 1;
  }
  // As large as asked where nothing else is known: no memory for a probe.
  template <class Heap>
  static size_t real_size(Heap& heap, size_t bytes) {
    if constexpr (layers::GoodSizeHeap<Heap>) {
      const size_t size = heap.good_size(bytes);
      return size >= bytes ? size : bytes;
    } else {
      void* block = heap.malloc(bytes);
      if (block == nullptr) return bytes;
      const size_t size = heap.get_size(block);
      heap.free(block);
      return size;
    }
  }

  uint8_t serves_[kClasses] = {};
};

static_assert(SizeTable::floor_class(SizeTable::kLargest) == SizeTable::kClasses - 1);
static_assert(SizeTable::lower_bound(SizeTable::kClasses - 1) == SizeTable::kLargest);
static_assert(SizeTable::floor_class(1151) == 128 && SizeTable::floor_class(1152) == 129);
static_assert(SizeTable::lower_bound(129) == 1152 && SizeTable::lower_bound(128) == 1024);

}  // namespace mmt::layers
