// PHKmalloc's small blocks, up to half a page: chunks of a power of two bytes, at least 16, in
// pages of one size. A bitmap beside each page tells the free ones, and the lowest goes out first,
// of the lowest page of that size that has any. A page all of whose chunks are free becomes an
// ordinary one. What is not a block is refused with a warning, and left.
#pragma once

#include <bit>

#include <mmt/core/compiler.h>
#include <mmt/layers/general/phk/chunk_map.h>
#include <mmt/layers/general/phk/page_heap.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

template <class Super>
class PhkChunksHeap : public Super {
  static_assert(PageRunsLayer<Super> && AligningHeap<Super> && SizedHeap<Super>,
                "PhkChunksHeap: its super-heap has no blocks of whole pages; put Pages below it");
  static_assert(Super::kAlignment == kPhkPage, "PhkChunksHeap: there is one below it already");

 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kLargestChunk = kPhkPage / 2;

  using Super::Super;

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    if (MMT_UNLIKELY(bytes > kLargestChunk)) return Super::malloc(bytes);
    return take_chunk(shift_for(bytes));
  }
  Block allocate(size_t bytes, size_t alignment) {
    const size_t least = bytes < alignment ? alignment : bytes;
    if (least > kLargestChunk) return Super::allocate(bytes, alignment);
    const size_t shift = shift_for(least);
    void* const block = take_chunk(shift);
    return block == nullptr ? Block{} : Block{block, size_t{1} << shift};
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    const PageDirectory::Entry entry = Super::books().of(block);
    if (MMT_UNLIKELY(!PageDirectory::is_chunks(entry))) return Super::free(block);
    PageRun* const page = PageDirectory::run_of(entry);
    if (MMT_UNLIKELY(!is_chunk(page, block))) return warn_of(page, block);
    page->chunks.give(page->chunks.chunk_at(block));
    if (MMT_UNLIKELY(page->chunks.free_count() == 1)) return list(page);
    if (MMT_UNLIKELY(page->chunks.is_all_free())) drop(page);
  }
  void free(void* block, size_t bytes) = delete;

  size_t get_size(const void* block) const {
    const PageDirectory::Entry entry = Super::books().of(block);
    if (!PageDirectory::is_chunks(entry)) return Super::get_size(block);
    const PageRun* const page = PageDirectory::run_of(entry);
    if (MMT_LIKELY(is_chunk(page, block))) return page->chunks.size();
    warn_of(page, block);
    return 0;
  }
  size_t good_size(size_t bytes) const {
    return bytes > kLargestChunk ? Super::good_size(bytes) : size_t{1} << shift_for(bytes);
  }
  bool expand(void* block, size_t bytes) {
    if (!PageDirectory::is_chunks(Super::books().of(block))) return Super::expand(block, bytes);
    const size_t size = get_size(block);
    return size != 0 && bytes <= size;
  }

  void clear() {
    for (PageRun*& first : pages_) first = nullptr;
    Super::clear();
  }
  Usage usage() const {
    Usage all = Super::usage();
    for (const PageRun* page : pages_) {
      for (; page != nullptr; page = page->next) {
        all.free_blocks += page->chunks.free_count();
        all.free_bytes += page->chunks.free_count() * page->chunks.size();
      }
    }
    return all;
  }

 private:
  static constexpr size_t kSizes = 8;  // 16 to 2048
  static_assert(size_t{1} << ChunkMap::kLeastShift == kBlockAlignment);
  static_assert(kLargestChunk == kBlockAlignment << (kSizes - 1));

  static constexpr size_t shift_for(size_t bytes) {
    return static_cast<unsigned>(std::bit_width((bytes - (bytes != 0)) | (kBlockAlignment - 1)));
  }
  // It begins there, and is in use.
  static bool is_chunk(const PageRun* page, const void* block) {
    return page->chunks.is_begin(block) && !page->chunks.is_free(page->chunks.chunk_at(block));
  }
  MMT_COLD void warn_of(const PageRun* page, const void* block) const {
    Super::warn(page->chunks.is_begin(block) ? "chunk is already free"
                                             : "modified (chunk-) pointer");
  }

  MMT_ALWAYS_INLINE void* take_chunk(size_t shift) {
    PageRun* const page = pages_[shift - ChunkMap::kLeastShift];
    if (MMT_UNLIKELY(page == nullptr)) return take_from_new(shift);
    return take_from(page, shift);
  }
  MMT_ALWAYS_INLINE void* take_from(PageRun* page, size_t shift) {
    size_t chunk = page->chunks.lowest();
    if (MMT_UNLIKELY(Super::options().at_random)) chunk = any_of(page);
    page->chunks.take(chunk);
    if (MMT_UNLIKELY(page->chunks.free_count() == 0)) unlist(page);
    return page->begin + (chunk << shift);
  }
  MMT_COLD size_t any_of(const PageRun* page) {
    return page->chunks.after(Super::random_below(page->chunks.free_count()));
  }
  MMT_NOINLINE void* take_from_new(size_t shift) {
    PageRun* const page = Super::take_run(1, kPhkPage, false);
    if (page == nullptr) return nullptr;
    page->chunks.start(shift);
    Super::books().set_chunks(page);
    list(page);
    return take_from(page, shift);
  }
  MMT_NOINLINE void drop(PageRun* page) {
    unlist(page);
    Super::release_run(page);
  }

  // Pages of each size that have free chunks, in order of address.
  PageRun*& first_like(const PageRun* page) {
    return pages_[page->chunks.shift() - ChunkMap::kLeastShift];
  }
  MMT_NOINLINE void list(PageRun* page) {
    PageRun** next = &first_like(page);
    PageRun* before = nullptr;
    while (*next != nullptr && (*next)->begin < page->begin) {
      before = *next;
      next = &before->next;
    }
    page->next = *next;
    page->prev = before;
    if (*next != nullptr) (*next)->prev = page;
    *next = page;
  }
  void unlist(PageRun* page) {
    if (page->next != nullptr) page->next->prev = page->prev;
    (page->prev != nullptr ? page->prev->next : first_like(page)) = page->next;
  }

  PageRun* pages_[kSizes] = {};
};

using PhkChunks = Stage<PhkChunksHeap>;

}  // namespace mmt::layers
