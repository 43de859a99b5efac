// PHKmalloc's large blocks: whole pages. What is not a block is refused with a warning, and left.
#pragma once

#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/general/phk/page_directory.h>
#include <mmt/layers/general/phk/page_runs_heap.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>

namespace mmt::layers {

template <class Super>
class PageHeap : public Super {
  static_assert(PageRunsLayer<Super>,
                "PageHeap: its super-heap has no take_run() and release_run(); put PageRuns below "
                "it");

 public:
  static constexpr size_t kAlignment = kPhkPage;
  static constexpr size_t kSkew = 0;
  static constexpr bool kContiguous = false;

  using Super::Super;

  MMT_NOINLINE void* malloc(size_t bytes) { return allocate(bytes, kPhkPage).data; }
  Block allocate(size_t bytes, size_t alignment) {
    if (bytes > kMaxRequest || alignment > kMaxRequest - bytes) return {};
    const size_t pages = pages_for(bytes);
    const PageRun* const run = Super::take_run(pages, alignment, Super::options().guard);
    return run == nullptr ? Block{} : Block{run->begin, pages * kPhkPage};
  }
  MMT_NOINLINE void free(void* block) {
    if (PageRun* const run = run_of(block); run != nullptr) Super::release_run(run);
  }
  void free(void* block, size_t bytes) = delete;

  // 0, and a warning: that is no block.
  size_t get_size(const void* block) const {
    const PageRun* const run = run_of(block);
    return run != nullptr ? size_of(run) : 0;
  }
  size_t good_size(size_t bytes) const {
    return bytes > kMaxRequest ? 0 : pages_for(bytes) * kPhkPage;
  }
  bool expand(void* block, size_t bytes) {
    PageRun* const run = run_of(block);
    if (run == nullptr || bytes > kMaxRequest) return false;
    return bytes <= size_of(run) || Super::lengthen_run(run, pages_for(bytes) - run->pages);
  }

 private:
  static constexpr size_t pages_for(size_t bytes) {
    return bytes == 0 ? 1 : core::ceil_div(bytes, kPhkPage);
  }
  static size_t size_of(const PageRun* run) {
    return run->bytes() - ((run->flags & PageRun::kGuarded) != 0 ? kPhkPage : 0);
  }
  PageRun* run_of(const void* block) const {
    const PageDirectory::Entry entry = Super::books().of(block);
    const bool is_even = reinterpret_cast<uintptr_t>(block) % kPhkPage == 0;
    if (MMT_LIKELY(PageDirectory::kind_of(entry) == PageDirectory::kFirst && is_even)) {
      return PageDirectory::run_of(entry);
    }
    Super::warn(Super::books().problem_of(block));
    return nullptr;
  }
};

using Pages = Stage<PageHeap>;

}  // namespace mmt::layers
