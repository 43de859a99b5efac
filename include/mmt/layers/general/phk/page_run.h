// The record of a run of pages: a free one, one block, or a page of chunks. It lies apart from the
// pages, so that what a program writes there cannot harm it.
// PageRunPool makes such records, from mappings of its own. One thread may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include <mmt/layers/general/phk/chunk_map.h>
#include <mmt/layers/source/mmap_heap.h>

namespace mmt::layers {

struct PageRun {
  static constexpr uint8_t kGuarded = 1;  // its last page is out of reach, and no part of the block
  static constexpr uint8_t kProtected = 2;  // all of it may be
  static constexpr size_t kMostPages = UINT32_MAX;

  PageRun* next = nullptr;  // free: in order of address; chunks: of that size, some of them free
  PageRun* prev = nullptr;
  char* begin = nullptr;
  [[no_unique_address]] ChunkMap chunks;
  uint8_t flags = 0;
  uint32_t pages = 0;

  size_t bytes() const { return size_t{pages} * kPhkPage; }
  char* end() const { return begin + bytes(); }
};
static_assert(sizeof(PageRun) == 64);

class PageRunPool {
 public:
  PageRunPool() = default;
  PageRunPool(const PageRunPool&) = delete;
  PageRunPool& operator=(const PageRunPool&) = delete;
  ~PageRunPool() { drop_all_but(nullptr); }

  // Null: there is no memory.
  PageRun* take() {
    if (spare_ != nullptr) {
      PageRun* const run = spare_;
      spare_ = run->next;
      return ::new (run) PageRun;
    }
    if (next_ == end_ && !add_slab()) return nullptr;
    return ::new (next_++) PageRun;
  }
  void give(PageRun* run) {
    if (run + 1 == next_) {
      next_ = run;
    } else {
      run->next = spare_;
      spare_ = run;
    }
  }
  // Gives back the last mapping if it is unused.
  void trim() {
    if (slab_ == nullptr || next_ != slab_->runs()) return;
    Slab* const unused = slab_;
    slab_ = unused->before;
    next_ = end_ = slab_ != nullptr ? slab_->runs() + kRuns : nullptr;
    MmapHeap().free(unused);
  }
  // All are unused from now on. There are some afterwards if there were any before.
  void reset() {
    drop_all_but(slab_);
    spare_ = nullptr;
    next_ = slab_ != nullptr ? slab_->runs() : nullptr;
  }

 private:
  static constexpr size_t kRuns = 1022;  // a header's place, and that of MmapHeap's
  struct Slab {
    Slab* before;
    PageRun* runs() { return reinterpret_cast<PageRun*>(this) + 1; }
  };

  bool add_slab() {
    const Block memory = MmapHeap().allocate((kRuns + 1) * sizeof(PageRun), sizeof(PageRun));
    if (memory.data == nullptr) return false;
    slab_ = ::new (memory.data) Slab{slab_};
    next_ = slab_->runs();
    end_ = next_ + kRuns;
    return true;
  }
  void drop_all_but(Slab* kept) {
    for (Slab* slab = slab_; slab != nullptr;) {
      Slab* const before = slab->before;
      if (slab != kept) MmapHeap().free(slab);
      slab = before;
    }
    slab_ = kept;
    if (kept != nullptr) kept->before = nullptr;
  }

  PageRun* spare_ = nullptr;
  PageRun* next_ = nullptr;
  PageRun* end_ = nullptr;
  Slab* slab_ = nullptr;
};

}  // namespace mmt::layers
