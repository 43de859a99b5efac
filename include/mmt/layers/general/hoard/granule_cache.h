// Single granules of kGranule bytes that are free, linked through their first words. Those beyond
// the first kKept are emptied: the system gets their memory back, but for the page with the link.
// One thread may use it.
#pragma once

#include <cstddef>

#include <mmt/core/kept_errno.h>
#include <mmt/layers/fit/free_list.h>
#include <mmt/layers/source/system_pages.h>

namespace mmt::layers {

template <size_t kGranule, size_t kKept, class Pages = SystemPages>
class GranuleCache {
 public:
  size_t count() const { return kept_count_ + empty_count_; }

  void push(void* granule) {
    if (kept_count_ == kKept) return push_empty(granule);
    kept_.push(granule);
    ++kept_count_;
  }
  // Null: there is none. Those with memory go first.
  void* pop() {
    if (kept_count_ != 0) {
      --kept_count_;
      return kept_.pop();
    }
    if (empty_count_ == 0) return nullptr;
    --empty_count_;
    return empty_.pop();
  }
  // False: all are empty already.
  bool empty_all() {
    if (kept_count_ == 0) return false;
    for (; kept_count_ != 0; --kept_count_) push_empty(kept_.pop());
    return true;
  }
  void forget() {
    kept_.forget();
    empty_.forget();
    kept_count_ = empty_count_ = 0;
  }

 private:
  static constexpr size_t kPage = 4096;

  void push_empty(void* granule) {
    if (kGranule > kPage) {
      const core::KeptErrno kept_errno;
      Pages::discard(static_cast<char*>(granule) + kPage, kGranule - kPage);
    }
    empty_.push(granule);
    ++empty_count_;
  }

  FreeList kept_;
  FreeList empty_;
  size_t kept_count_ = 0;
  size_t empty_count_ = 0;
};

}  // namespace mmt::layers
