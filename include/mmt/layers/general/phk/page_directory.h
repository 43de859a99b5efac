// This directory tells what each page of the heap is, by its number. It has one word a page, in a
// mapping that grows. Pages before the first one that was covered are not ours. The directory is
// for one thread. That thread's signal handlers may read at any time, also what was there before
// while the directory grows.
//   - kNotMine           a stranger's, or given back to the system
//   - run, and kFree     in a free run: the record is that of the first and the last page only
//   - run, and kFirst    where a block of whole pages begins
//   - run, and kFollow   a further page of it
//   - run, alone         a page of chunks
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mmt/core/compiler.h>
#include <mmt/layers/general/phk/page_run.h>
#include <mmt/layers/source/mmap_heap.h>

namespace mmt::layers {

class PageDirectory {
 public:
  using Entry = uintptr_t;
  static constexpr Entry kNotMine = 0;
  static constexpr Entry kFree = 1;
  static constexpr Entry kFirst = 2;
  static constexpr Entry kFollow = 3;

  static Entry kind_of(Entry entry) { return entry & 3; }
  static PageRun* run_of(Entry entry) { return reinterpret_cast<PageRun*>(entry & ~Entry{3}); }
  static bool is_chunks(Entry entry) { return kind_of(entry) == 0 && entry != kNotMine; }

  PageDirectory() = default;
  PageDirectory(const PageDirectory&) = delete;
  PageDirectory& operator=(const PageDirectory&) = delete;
  ~PageDirectory() {
    if (entries_ != nullptr) MmapHeap().free(entries_);
  }

  MMT_ALWAYS_INLINE Entry of(const void* address) const {
    const size_t index = index_of(address);
    return MMT_LIKELY(index < count_) ? entries_[index] : kNotMine;
  }
  bool is_empty() const { return count_ == 0; }
  bool is_below(const void* address) const { return number_of(address) < first_; }
  bool is_above(const void* address) const { return number_of(address) >= first_ + count_; }

  // Makes room for entries of these pages: nobody's as yet. False, and nothing has changed: no
  // memory, or they lie before the first.
  bool cover(const char* begin, const char* end) {
    const size_t first = count_ == 0 ? number_of(begin) : first_;
    if (number_of(begin) < first) return false;
    const size_t needed = number_of(end) - first;
    if (needed > capacity_ && !grow(needed)) return false;
    first_ = first;
    if (needed > count_) count_ = needed;
    return true;
  }
  void set(const char* begin, size_t pages, Entry kind, PageRun* run) {
    Entry* const entry = entries_ + index_of(begin);
    for (size_t i = 0; i < pages; ++i) entry[i] = reinterpret_cast<Entry>(run) | kind;
  }
  // Pages from there on are no longer ours.
  void forget_from(const char* end) {
    const size_t kept = number_of(end) - first_;
    for (size_t i = kept; i < count_; ++i) entries_[i] = kNotMine;
    count_ = kept;
    while (count_ != 0 && entries_[count_ - 1] == kNotMine) --count_;
  }

  // visit(begin, pages) for each stretch of our pages, in order; it may set those.
  template <class Visit>
  void for_each_stretch(Visit visit) const {
    for (size_t i = 0; i < count_; ++i) {
      const size_t begin = i;
      while (i < count_ && entries_[i] != kNotMine) ++i;
      if (i != begin) visit(reinterpret_cast<char*>((first_ + begin) * kPhkPage), i - begin);
    }
  }

 private:
  static size_t number_of(const void* address) {
    return reinterpret_cast<uintptr_t>(address) / kPhkPage;
  }
  // The index of a page before the first lies beyond all.
  size_t index_of(const void* address) const { return number_of(address) - first_; }

  MMT_NOINLINE bool grow(size_t needed) {
    const size_t bytes = (needed < 2 * capacity_ ? 2 * capacity_ : needed) * sizeof(Entry);
    void* const grown = MmapHeap().malloc(bytes);
    if (grown == nullptr) return false;
    Entry* const before = entries_;
    if (before != nullptr) memcpy(grown, before, count_ * sizeof(Entry));
    // A handler that comes in between finds the one or the other.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    entries_ = static_cast<Entry*>(grown);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    capacity_ = MmapHeap().get_size(grown) / sizeof(Entry);
    if (before != nullptr) MmapHeap().free(before);
    return true;
  }

  Entry* entries_ = nullptr;  // zero beyond count_
  size_t first_ = 0;
  size_t count_ = 0;
  size_t capacity_ = 0;
};

}  // namespace mmt::layers
