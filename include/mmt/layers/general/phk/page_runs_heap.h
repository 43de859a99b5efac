// PHKmalloc's runs of pages are taken at the lowest address that has room for them (first fit).
// Freed runs merge with free neighbours. Free pages at the end of the heap beyond a cache of some
// pages go back to the source. A run's record exists before it is freed, so that free needs no
// memory. Options F (free pages are out of reach), G (a page behind a block is) and H are kept
// here.
#pragma once

#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/core/kept_errno.h>
#include <mmt/layers/general/phk/control_heap.h>
#include <mmt/layers/general/phk/page_books.h>
#include <mmt/layers/general/phk/page_region_heap.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/system_pages.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

template <class H>
concept PageRunsLayer = Heap<H> && requires(H& heap, PageRun* run, size_t pages) {
  { heap.take_run(pages, pages, true) } -> std::same_as<PageRun*>;
  heap.release_run(run);
};

template <class Pages, class Super>
class PageRunsHeap : public Super {
  static_assert(GrowingPagesHeap<Super>,
                "PageRunsHeap: its super-heap has no extend(pages) and shorten(address); put "
                "PageRegion below it");
  static_assert(PhkControlledHeap<Super>,
                "PageRunsHeap: its super-heap has no options(); put PhkControl below it");

 public:
  using Super::Super;
  ~PageRunsHeap() { bring_all_into_reach(); }

  // A run of so many pages, and one more if it is guarded; null, and nothing has changed.
  PageRun* take_run(size_t pages, size_t alignment, bool is_guarded) {
    const size_t total = pages + (is_guarded ? 1 : 0);
    const size_t room = total + (alignment > kPhkPage ? alignment / kPhkPage - 1 : 0);
    if (room > PageRun::kMostPages) return nullptr;
    PageRun* whole = books_.first_fit(room);
    if (whole == nullptr && (whole = grow(room)) == nullptr) return nullptr;
    const auto begin = reinterpret_cast<uintptr_t>(whole->begin);
    const size_t front = (core::align_up(begin, alignment) - begin) / kPhkPage;
    if (!reach(whole, front + total)) return nullptr;
    PageRun* const run = books_.cut(whole, front, total);
    if (run == nullptr || !is_guarded) return run;
    if (!Pages::protect(run->end() - kPhkPage, kPhkPage, PROT_NONE)) {
      release_run(run);
      return nullptr;
    }
    run->flags |= PageRun::kGuarded;
    has_unreachable_ = true;
    return run;
  }
  void release_run(PageRun* run) {
    const PhkOptions& options = Super::options();
    const core::KeptErrno kept_errno;
    if (options.hint) Pages::discard(run->begin, run->bytes(), MADV_FREE);
    const bool is_guarded = (run->flags & PageRun::kGuarded) != 0;
    // What cannot be brought into reach now is when the run is taken again.
    run->flags =
        is_guarded && !make_reachable(run->end() - kPhkPage, 1) ? PageRun::kProtected : uint8_t{0};
    if (options.freecheck && Pages::protect(run->begin, run->bytes(), PROT_NONE)) {
      run->flags = PageRun::kProtected;
      has_unreachable_ = true;
    }
    books_.free(run);
    shorten_beyond(options.cache_pages);
  }
  // By the free pages behind it, if there are enough, or come to be. False: the run is as it was.
  bool lengthen_run(PageRun* run, size_t pages) {
    if ((run->flags & PageRun::kGuarded) != 0) return false;
    PageRun* behind = books_.free_run_at(run->end());
    const PageRun* const last = behind != nullptr ? behind : run;
    if ((behind == nullptr || behind->pages < pages) && last->end() == Super::region_end()) {
      if (grow(pages) == nullptr) return false;
      behind = books_.free_run_at(run->end());
    }
    if (behind == nullptr || behind->pages < pages || !reach(behind, pages)) return false;
    books_.append(run, behind, pages);
    return true;
  }

  MMT_ALWAYS_INLINE bool owns(const void* address) const {
    return books_.of(address) != PageDirectory::kNotMine;
  }
  // Gives back all free pages at the end of the heap.
  bool trim() { return shorten_beyond(0); }
  void clear() {
    books_.clear(bring_all_into_reach() ? 0 : PageRun::kProtected);
    shorten_beyond(Super::options().cache_pages);
  }
  Usage usage() const { return books_.usage(); }
  // A layer that puts something else than one block into a run asks here.
  PageBooks& books() { return books_; }
  const PageBooks& books() const { return books_; }

 private:
  static constexpr size_t kGrowth = 16;

  static bool make_reachable(char* begin, size_t pages) {
    return Pages::protect(begin, pages * kPhkPage, PROT_READ | PROT_WRITE);
  }
  // The first pages of a free run.
  static bool reach(PageRun* run, size_t pages) {
    return (run->flags & PageRun::kProtected) == 0 || make_reachable(run->begin, pages);
  }
  bool bring_all_into_reach() {
    bool are_all = true;
    if (!has_unreachable_) return are_all;
    books_.for_each_stretch(
        [&](char* begin, size_t pages) { are_all = make_reachable(begin, pages) && are_all; });
    return are_all;
  }

  // A free run of at least that many pages, at the end of the heap; null: no memory.
  MMT_NOINLINE PageRun* grow(size_t pages) {
    while (true) {
      PageRun* const last = books_.last_free();
      const bool is_at_end = last != nullptr && last->end() == Super::region_end();
      const size_t held = is_at_end ? last->pages : 0;
      if (held >= pages) return last;
      if (!books_.prepare_free()) return nullptr;
      const size_t missing = pages - held;
      PageExtent more = Super::extend(missing < kGrowth ? kGrowth : missing);
      if (more.begin == nullptr) more = Super::extend(missing);
      if (more.begin != nullptr && books_.add_free(more.begin, more.end)) continue;
      if (more.begin != nullptr) Super::shorten(more.begin);
      books_.trim();
      return nullptr;
    }
  }
  bool shorten_beyond(size_t kept) {
    PageRun* const last = books_.last_free();
    if (last == nullptr || last->pages <= kept || last->end() != Super::region_end()) return false;
    char* const to = last->begin + kept * kPhkPage;
    // What the source keeps must be as it was.
    const bool is_protected = (last->flags & PageRun::kProtected) != 0;
    if (is_protected && !make_reachable(to, last->pages - kept)) return false;
    if (!Super::shorten(to)) return false;
    books_.forget_from(to, last);
    return true;
  }

  PageBooks books_;
  bool has_unreachable_ = false;
};

template <class Pages>
struct BasicPageRuns {
  template <class Super>
  using Over = PageRunsHeap<Pages, Super>;
};
using PageRuns = BasicPageRuns<SystemPages>;

}  // namespace mmt::layers
