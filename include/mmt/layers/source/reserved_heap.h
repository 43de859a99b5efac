// This top heap is a stretch of address space that is reserved at the first request. The system
// provides memory for the stretch up to where it has been given out. Blocks lie one after the
// other, nobody comes between, and the end can be given back. Where kBytes cannot be had, half of
// it will do, and so on. What is freed stays; the end of the heap gives back all. The heap is for
// one thread.
// The system accounts for what has been given out alone, and refuses what it refuses to a mapping.
#pragma once

#include <sys/mman.h>

#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/core/kept_errno.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/system_pages.h>

namespace mmt::layers {

template <size_t kBytes = size_t{1} << 36, class Pages = SystemPages>
class ReservedHeap {
  static constexpr size_t kPage = size_t{4} << 10;
  static constexpr size_t kStep = size_t{64} << 10;  // made usable at a time
  static_assert(kBytes % kStep == 0 && kBytes != 0,
                "ReservedHeap: kBytes is no multiple of 64 KiB");

 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kContiguous = true;

  ReservedHeap() = default;
  ReservedHeap(const ReservedHeap&) = delete;
  ReservedHeap& operator=(const ReservedHeap&) = delete;
  ~ReservedHeap() { clear(); }

  void* malloc(size_t bytes) {
    if (bytes > kBytes) return nullptr;
    const size_t needed = core::align_up(bytes == 0 ? 1 : bytes, kAlignment);
    if (begin_ == nullptr && !reserve(needed)) return nullptr;
    if (needed > static_cast<size_t>(limit_ - end_) || !make_usable(end_ + needed)) {
      if (end_ == begin_) clear();
      return nullptr;
    }
    void* const block = end_;
    end_ += needed;
    return block;
  }
  void free(void*) {}

  // Gives the topmost bytes, a multiple of the alignment, back to the system. False: there are not
  // so many, and nothing has changed.
  bool shrink(size_t bytes) {
    if (bytes > static_cast<size_t>(end_ - begin_)) return false;
    end_ -= bytes;
    const core::KeptErrno kept_errno;
    if (end_ == begin_) {
      clear();
      return true;
    }
    char* const kept = begin_ + core::align_up(static_cast<size_t>(end_ - begin_), kStep);
    if (kept >= usable_) return true;
    const auto surplus = static_cast<size_t>(usable_ - kept);
    // A new mapping, so that nothing is left of what was there.
    if (Pages::map(kept, surplus, PROT_NONE, MAP_FIXED) != nullptr) usable_ = kept;
    return true;
  }
  void clear() {
    if (begin_ != nullptr) Pages::unmap(begin_, static_cast<size_t>(limit_ - begin_));
    begin_ = end_ = usable_ = limit_ = nullptr;
  }
  bool owns(const void* address) const { return address >= begin_ && address < end_; }

 protected:
  // Reserves at most so many bytes of them.
  explicit ReservedHeap(size_t most) : most_(most < kBytes ? most / kStep * kStep : kBytes) {}

 private:
  MMT_COLD bool reserve(size_t needed) {
    for (size_t bytes = most_; bytes >= needed && bytes >= kStep;
         bytes = bytes / 2 / kStep * kStep) {
      // A page more, which goes back: kernels begin multiples of a huge page at one, and nine bits
      // less of the address were unknown.
      void* const memory = Pages::map(nullptr, bytes + kPage, PROT_NONE);
      if (memory == nullptr) continue;
      begin_ = end_ = usable_ = static_cast<char*>(memory);
      limit_ = begin_ + bytes;
      Pages::unmap(limit_, kPage);
      return true;
    }
    return false;
  }
  bool make_usable(char* end) {
    if (MMT_LIKELY(end <= usable_)) return true;
    const auto missing = core::align_up(static_cast<size_t>(end - usable_), kStep);
    if (!Pages::protect(usable_, missing, PROT_READ | PROT_WRITE)) return false;
    usable_ += missing;
    return true;
  }

  size_t most_ = kBytes;
  char* begin_ = nullptr;
  char* end_ = nullptr;
  char* usable_ = nullptr;
  char* limit_ = nullptr;
};

}  // namespace mmt::layers
