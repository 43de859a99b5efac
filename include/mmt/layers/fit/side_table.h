#pragma once
// A table beside an arena that grows at its end, zero at first. It is mapped lazily: what nobody
// touches takes no page. Its entries may move when it grows. The end gives back all. One thread;
// its signal handlers may read at any time, also while it grows.
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>

#include <mmt/core/compiler.h>
#include <mmt/core/kept_errno.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/system_pages.h>

namespace mmt::layers::fit {

template <class Entry, class Pages = SystemPages>
class SideTable {
 public:
  SideTable() = default;
  SideTable(const SideTable&) = delete;
  SideTable& operator=(const SideTable&) = delete;
  ~SideTable() {
    if (entries_ != nullptr) Pages::unmap(entries_, capacity_ * sizeof(Entry));
  }

  // So many entries at least may be used from now on; of those before, none behind `written` has
  // been. False: no memory, all is as it was.
  bool cover(size_t count, size_t written) {
    return MMT_LIKELY(count <= capacity_) || grow(count, written);
  }

  Entry& operator[](size_t i) { return entries_[i]; }
  const Entry& operator[](size_t i) const { return entries_[i]; }
  size_t capacity() const { return capacity_; }

 private:
  static constexpr size_t kLeast = (size_t{64} << 10) / sizeof(Entry);
  static_assert(kLeast * sizeof(Entry) == size_t{64} << 10,
                "SideTable: pages hold no part entries");

  MMT_COLD bool grow(size_t count, size_t written) {
    if (count > kMaxRequest / sizeof(Entry) / 2) return false;
    size_t wanted = capacity_ == 0 ? kLeast : capacity_;
    while (wanted < count) wanted *= 2;
    const core::KeptErrno kept_errno;
    const size_t bytes = wanted * sizeof(Entry);
    void* const memory = Pages::map(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_NORESERVE);
    if (memory == nullptr) return false;
    Entry* const before = entries_;
    const size_t bytes_before = capacity_ * sizeof(Entry);
    copy_pages(memory, before, std::min(capacity_, written) * sizeof(Entry));
    // A handler that comes in between finds the one or the other.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    entries_ = static_cast<Entry*>(memory);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    capacity_ = wanted;
    if (before != nullptr) Pages::unmap(before, bytes_before);
    return true;
  }
  // Only those that hold something: the others take no memory there either.
  static void copy_pages(void* to, const void* from, size_t bytes) {
    constexpr size_t kPage = 4096;
    static constexpr char kZeros[kPage] = {};
    for (size_t at = 0; at < bytes; at += kPage) {  // the table has whole pages
      const char* const page = static_cast<const char*>(from) + at;
      if (memcmp(page, kZeros, kPage) != 0) memcpy(static_cast<char*>(to) + at, page, kPage);
    }
  }

  Entry* entries_ = nullptr;
  size_t capacity_ = 0;
};

}  // namespace mmt::layers::fit
