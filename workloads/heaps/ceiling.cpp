// libmmt-ceiling.so gives allocation at nearly no cost, to see what there is to gain for an
// allocator. Each size has a list of free blocks. New blocks are cut from memory that was made
// resident before the program began, by huge pages where the system gives them. Nothing goes back.
// The library is for programs of one thread, and for `mmt study`.
//
// MMT_CEILING_MIB is how much is prepared, 64 if it is not set; what is needed beyond comes as it
// is used. The seconds that the preparation took are appended to the file named by
// MMT_BENCH_REPORT, as "setup SECONDS s".
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bit>
#include <cinttypes>
#include <new>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/core/visible.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/pages.h>

#include "names/process_heap.h"

namespace mmt::heaps {

// All static, as there is one program.
class Ceiling {
 public:
  template <class Slow>
  static MMT_ALWAYS_INLINE void* allocate_or(size_t bytes, Slow&& slow) {
    if (MMT_UNLIKELY(bytes > kLargest)) return slow(bytes);
    const size_t c = class_of(bytes);
    Free* const block = lists_[c];
    if (MMT_UNLIKELY(block == nullptr)) return slow(bytes);
    lists_[c] = block->next;
    return block;
  }
  template <class Slow>
  static MMT_ALWAYS_INLINE void deallocate_or(void* block, Slow&&) {
    if (MMT_UNLIKELY(block == nullptr)) return;
    Free*& list = lists_[header_of(block)];
    list = ::new (block) Free{list};
  }

  static void* allocate_slow(size_t bytes) {
    if (bytes > kLargest) return nullptr;
    const size_t c = class_of(bytes);
    if (lists_[c] != nullptr) return allocate_or(bytes, [](size_t) -> void* { return nullptr; });
    char* const chunk = cut(size_of_class(c) + kHeader);
    if (chunk == nullptr) return nullptr;
    header_of(chunk + kHeader) = c;
    return chunk + kHeader;
  }
  static bool deallocate_slow(void* block) {
    deallocate_or(block, [](void*) {});
    return true;
  }
  static void* allocate_aligned(size_t bytes, size_t alignment) {
    if (alignment <= kHeader) return allocate_slow(bytes);
    if (bytes > kLargest - alignment) return nullptr;
    const size_t c = class_of(bytes);
    char* const chunk = cut(size_of_class(c) + alignment + kHeader);
    if (chunk == nullptr) return nullptr;
    const auto at = core::align_up(reinterpret_cast<uintptr_t>(chunk + kHeader), alignment);
    header_of(reinterpret_cast<void*>(at)) = c;
    return reinterpret_cast<void*>(at);
  }
  static void* allocate_zeroed(size_t bytes) {
    void* const block = allocate_slow(bytes);
    return block == nullptr ? nullptr : memset(block, 0, bytes);
  }
  static void* reallocate(void* block, size_t bytes) {
    const size_t size = usable_size(block);
    if (bytes <= size) return block;
    void* const moved = allocate_slow(bytes);
    if (moved == nullptr) return nullptr;
    memcpy(moved, block, size);
    deallocate_slow(block);
    return moved;
  }
  static size_t usable_size(const void* block) { return size_of_class(header_of(block)); }
  static bool owns(const void*) { return true; }
  static void keep_to_slow_paths() {}
  static bool trim(size_t) { return false; }
  static void set_trim_threshold(int) {}
  static struct mallinfo2 info() { return {}; }
  static int print_info(int, FILE*) { return ENOSYS; }
  static void print_stats() {}
  static void install_fork_handlers() {}

  static bool prepare(size_t bytes) {
    bytes = core::align_up(bytes, sys::kHugePageSize);
    auto* const memory = static_cast<char*>(sys::map_anywhere(bytes + sys::kHugePageSize));
    if (memory == nullptr) return false;
    at_ = reinterpret_cast<char*>(
        core::align_up(reinterpret_cast<uintptr_t>(memory), sys::kHugePageSize));
    end_ = at_ + bytes;
    sys::prefer_huge_pages(at_, bytes);
    return sys::populate(at_, bytes);
  }

 private:
  struct Free {
    Free* next;
  };
  static constexpr size_t kHeader = 16;  // the class before the block, which is aligned to this
  static constexpr size_t kLinear = 1024;
  static constexpr size_t kLinearClasses = kLinear / 16;
  static constexpr size_t kLargest = size_t{1} << 40;
  static constexpr size_t kPiece = size_t{64} << 20;

  // Multiples of 16 bytes, above 1024 eight sizes from power to power of two.
  static MMT_ALWAYS_INLINE size_t class_of(size_t bytes) {
    if (bytes <= kLinear) return bytes == 0 ? 0 : (bytes - 1) / 16;
    const auto power = static_cast<size_t>(std::bit_width(bytes - 1)) - 1;
    return kLinearClasses + (power - 10) * 8 + (((bytes - 1) >> (power - 3)) & 7);
  }
  static size_t size_of_class(size_t c) {
    if (c < kLinearClasses) return (c + 1) * 16;
    const size_t above = c - kLinearClasses;
    return (above % 8 + 9) << (above / 8 + 7);
  }
  static size_t& header_of(const void* block) {
    return *(static_cast<size_t*>(const_cast<void*>(block)) - 1);
  }
  static char* cut(size_t bytes) {
    if (bytes > static_cast<size_t>(end_ - at_)) {
      const size_t piece = core::align_up(bytes < kPiece ? kPiece : bytes, sys::kPageSize);
      auto* const memory = static_cast<char*>(sys::map_anywhere(piece));
      if (memory == nullptr) return nullptr;
      at_ = memory;
      end_ = memory + piece;
    }
    char* const chunk = at_;
    at_ += bytes;
    return chunk;
  }

  static inline char* at_ = nullptr;
  static inline char* end_ = nullptr;
  static inline Free* lists_[kLinearClasses + 31 * 8]{};
};

}  // namespace mmt::heaps

namespace mmt::names {
using ProcessHeap = heaps::Ceiling;
}  // namespace mmt::names

namespace {

constexpr size_t kDefaultMiB = 64;
constexpr unsigned long long kMostMiB = 1 << 20;

size_t wanted_mib() {
  const char* text = getenv("MMT_CEILING_MIB");
  if (text == nullptr) return kDefaultMiB;
  char* end = nullptr;
  const unsigned long long mib = strtoull(text, &end, 10);
  if (end == text || *end != '\0' || mib == 0 || mib > kMostMiB) {
    fprintf(stderr, "mmt: MMT_CEILING_MIB: '%s' is no number from 1 to %llu\n",
            mmt::core::VisibleText<>(text).c_str(), kMostMiB);
    exit(2);
  }
  return mib;
}

void report(uint64_t nanoseconds) {
  const char* path = getenv("MMT_BENCH_REPORT");
  if (path == nullptr) return;
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return;
  constexpr uint64_t kSecond = mmt::sys::kNanosAMilli * 1000;
  dprintf(file, "setup %" PRIu64 ".%09" PRIu64 " s\n", nanoseconds / kSecond,
          nanoseconds % kSecond);
  close(file);
}

// Before the program's own constructors.
__attribute__((constructor(102))) void set_up() {
  const size_t mib = wanted_mib();
  const uint64_t begin = mmt::sys::monotonic_ns();
  if (!mmt::heaps::Ceiling::prepare(mib << 20)) {
    fprintf(stderr, "mmt: MMT_CEILING_MIB: there are no %zu MiB\n", mib);
    exit(2);
  }
  report(mmt::sys::monotonic_ns() - begin);
}

}  // namespace

#include "heaps/library.h"
