// Whole pages at the end of a contiguous source, which grows and shrinks there. If a stranger has
// moved the end in between, the new pages lie behind a hole. They go back when the source ends.
#pragma once

#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/layers/general/phk/page_run.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>

namespace mmt::layers {

struct PageExtent {
  char* begin = nullptr;  // null: none
  char* end = nullptr;
};

template <class H>
concept GrowingPagesHeap = Heap<H> && requires(H& heap, char* address, size_t pages) {
  { heap.extend(pages) } -> std::same_as<PageExtent>;
  { heap.shorten(address) } -> std::same_as<bool>;
  { heap.region_end() } -> std::same_as<char*>;
};

template <class Super>
class PageRegionHeap : public Super {
  static_assert(Heap<Super>,
                "PageRegionHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(kIsContiguous<Super>,
                "PageRegionHeap: its source is not contiguous; take SystemHeap or ReservedHeap");

 public:
  using Super::Super;

  // Where the last page ends.
  char* region_end() const { return end_; }

  // So many pages more: they begin at region_end(), or behind a hole. None: there is no memory.
  PageExtent extend(size_t pages) {
    if (pages > kMaxRequest / kPhkPage - 2) return {};
    // At the first time, and behind a hole, some bytes are lost to begin with a page.
    const auto spare = static_cast<size_t>(source_end_ - end_);
    const bool is_first = source_end_ == nullptr;
    if (!is_first && pages * kPhkPage > spare) {
      const size_t bytes = pages * kPhkPage - spare;
      auto* const memory = static_cast<char*>(Super::malloc(bytes));
      if (memory == nullptr) return {};
      if (memory == source_end_)
        return append(memory + core::align_up(bytes, kBlockAlignment), pages);
      // It will not do alone, and the source keeps it if it cannot be given back.
      const bool is_above = memory > source_end_;
      shrink_source(core::align_up(bytes, kBlockAlignment));
      if (!is_above) return {};
    }
    const size_t bytes = (pages + 1) * kPhkPage - kBlockAlignment;
    auto* const memory = static_cast<char*>(Super::malloc(bytes));
    if (memory == nullptr) return {};
    if (memory < source_end_) {
      shrink_source(bytes);
      return {};
    }
    const bool is_alone = source_end_ == nullptr;
    end_ = reinterpret_cast<char*>(core::align_up(reinterpret_cast<uintptr_t>(memory), kPhkPage));
    if (is_alone) first_ = end_;
    return append(memory + bytes, pages);
  }

  // Gives back the pages from there on, which lie behind the last hole. False: the source keeps
  // them.
  bool shorten(char* to) {
    if (!shrink_source(static_cast<size_t>(source_end_ - to))) return false;
    // A source that has nothing left may begin elsewhere.
    source_end_ = end_ = to == first_ ? nullptr : to;
    return true;
  }

  bool shrink(size_t bytes) = delete;
  bool expand(void* block, size_t bytes) = delete;

 private:
  PageExtent append(char* source_end, size_t pages) {
    char* const begin = end_;
    source_end_ = source_end;
    end_ = begin + pages * kPhkPage;
    return {begin, end_};
  }
  bool shrink_source(size_t bytes) {
    if constexpr (requires { Super::shrink(bytes); }) return Super::shrink(bytes);
    return false;
  }

  char* first_ = nullptr;       // the first page
  char* end_ = nullptr;         // of the pages
  char* source_end_ = nullptr;  // of the memory: less than a page behind
};

using PageRegion = Stage<PageRegionHeap>;

}  // namespace mmt::layers
