// Which pages are free, and which are whose: the directory of PHKmalloc, the records of runs and
// the free ones among them, kept in accord. It touches no page. One thread may use it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/general/phk/free_runs.h>
#include <mmt/layers/general/phk/page_directory.h>
#include <mmt/layers/general/phk/page_run.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

class PageBooks {
 public:
  using Directory = PageDirectory;

  MMT_ALWAYS_INLINE Directory::Entry of(const void* address) const {
    return directory_.of(address);
  }
  PageRun* first_fit(size_t pages) const { return free_.first_fit(pages); }
  PageRun* last_free() const { return free_.last(); }
  // That begins there; null: none does.
  PageRun* free_run_at(const char* begin) const {
    const Directory::Entry entry = of(begin);
    return Directory::kind_of(entry) == Directory::kFree ? Directory::run_of(entry) : nullptr;
  }

  // What is wrong with a pointer that should be a block of whole pages.
  const char* problem_of(const void* block) const {
    if (directory_.is_empty()) return "malloc() has never been called";
    if (directory_.is_below(block)) return "junk pointer, too low to make sense";
    if (directory_.is_above(block)) return "junk pointer, too high to make sense";
    switch (Directory::kind_of(of(block))) {
      case Directory::kFree:
        return "page is already free";
      case Directory::kFirst:
        return "modified (page-) pointer";
      default:
        return "pointer to wrong page";
    }
  }

  // So that add_free() has a record. False: there is no memory.
  bool prepare_free() {
    if (spare_ == nullptr) spare_ = pool_.take();
    return spare_ != nullptr;
  }
  // New pages; prepare_free() was called. False, and nothing has changed: no memory.
  bool add_free(char* begin, char* end) {
    if (!directory_.cover(begin, end)) return false;
    PageRun* const run = spare_;
    spare_ = nullptr;
    run->begin = begin;
    run->pages = static_cast<uint32_t>(static_cast<size_t>(end - begin) / kPhkPage);
    free(run);
    return true;
  }
  // After a failure: what was prepared for nothing.
  void trim() {
    if (spare_ != nullptr) pool_.give(spare_);
    spare_ = nullptr;
    pool_.trim();
  }

  // A run in use becomes a free one, merged with those beside it.
  void free(PageRun* run) {
    PageRun* const before = free_run_before(run->begin);
    PageRun* const behind = free_run_at(run->end());
    directory_.set(run->begin, run->pages, Directory::kFree, run);
    if (before != nullptr) {
      before->pages += run->pages;
      before->flags |= run->flags;
      pool_.give(run);
      run = before;
    } else if (behind != nullptr) {
      free_.insert_after(behind->prev, run);
    } else {
      free_.insert(run);
    }
    if (behind != nullptr) {
      run->pages += behind->pages;
      run->flags |= behind->flags;
      free_.remove(behind);
      pool_.give(behind);
    }
    mark_ends(run);
  }

  // Makes `pages` of a free run, after the first `front`, a block. Null, and nothing has changed:
  // no memory for the records.
  PageRun* cut(PageRun* whole, size_t front, size_t pages) {
    const size_t back = whole->pages - front - pages;
    PageRun* run = whole;
    PageRun* rest = whole;
    if (front + back != 0) run = pool_.take();
    if (run != nullptr && front != 0 && back != 0) rest = pool_.take();
    if (run == nullptr || rest == nullptr) {
      if (run != nullptr) pool_.give(run);
      pool_.trim();
      return nullptr;
    }
    char* const begin = whole->begin + front * kPhkPage;
    if (run == whole) {
      free_.remove(whole);
    } else if (rest != whole) {
      free_.insert_after(whole, rest);
    }
    if (back != 0) set(rest, begin + pages * kPhkPage, back, whole->flags);
    if (front != 0) set(whole, whole->begin, front, whole->flags);
    run->begin = begin;
    run->pages = static_cast<uint32_t>(pages);
    run->flags = 0;
    mark_block(run);
    return run;
  }
  // Adds the first pages of a free run to the block before it.
  void append(PageRun* run, PageRun* behind, size_t pages) {
    directory_.set(behind->begin, pages, Directory::kFollow, run);
    run->pages += static_cast<uint32_t>(pages);
    if (behind->pages != pages) {
      return set(behind, behind->begin + pages * kPhkPage, behind->pages - pages, behind->flags);
    }
    free_.remove(behind);
    pool_.give(behind);
  }

  void set_chunks(PageRun* run) { directory_.set(run->begin, 1, 0, run); }

  // Pages from there on, the end of the last free run, have gone back.
  void forget_from(char* to, PageRun* last) {
    directory_.forget_from(to);
    last->pages = static_cast<uint32_t>(static_cast<size_t>(to - last->begin) / kPhkPage);
    if (last->pages != 0) return mark_ends(last);
    free_.remove(last);
    pool_.give(last);
  }
  // All pages are free, with these flags.
  void clear(uint8_t flags) {
    free_.forget();
    pool_.reset();
    spare_ = nullptr;
    directory_.for_each_stretch([&](char* begin, size_t pages) {
      PageRun* const run = pool_.take();
      if (run == nullptr) return;  // not before there are a thousand holes
      directory_.set(begin, pages, Directory::kFree, run);
      set(run, begin, pages, flags);
      free_.insert(run);
    });
  }
  template <class Visit>
  void for_each_stretch(Visit visit) const {
    directory_.for_each_stretch(visit);
  }

  Usage usage() const {
    Usage all;
    directory_.for_each_stretch([&](char*, size_t pages) { all.system_bytes += pages * kPhkPage; });
    for (const PageRun* run = free_.first(); run != nullptr; run = run->next) {
      all.free_bytes += run->bytes();
      ++all.free_blocks;
    }
    return all;
  }

 private:
  PageRun* free_run_before(const char* begin) const { return free_run_at(begin - kPhkPage); }

  void mark_block(PageRun* run) {
    directory_.set(run->begin, 1, Directory::kFirst, run);
    directory_.set(run->begin + kPhkPage, run->pages - 1, Directory::kFollow, run);
  }
  void mark_ends(PageRun* run) {
    directory_.set(run->begin, 1, Directory::kFree, run);
    directory_.set(run->end() - kPhkPage, 1, Directory::kFree, run);
  }
  void set(PageRun* run, char* begin, size_t pages, uint8_t flags) {
    run->begin = begin;
    run->pages = static_cast<uint32_t>(pages);
    run->flags = flags;
    mark_ends(run);
  }

  PageDirectory directory_;
  PageRunPool pool_;
  FreeRuns free_;
  PageRun* spare_ = nullptr;  // PHK's cached holder
};

}  // namespace mmt::layers
