// This top heap consists of mappings above the program break that follow one another, so that
// blocks do. If others' memory is in the way, the next stretch begins behind it, always at a higher
// address. The first stretch lies at least kNearest bytes, a power of two, above the break, which
// can move as far. If there is no room, the first stretch lies low in the address space.
// The topmost bytes can be given back. Other freed memory stays, and the end of the heap gives back
// all. After kMost stretches the heap gives out nothing more. The heap is for one thread.
#pragma once

#include <errno.h>
#include <sys/mman.h>

#include <bit>
#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/core/kept_errno.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/system_pages.h>

namespace mmt::layers {

template <size_t kNearest = size_t{1} << 20, class Pages = SystemPages>
class StretchHeap {
  static_assert(std::has_single_bit(kNearest) && kNearest >= size_t{64} << 10,
                "StretchHeap: kNearest is no power of two of at least 64 KiB");

 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kContiguous = true;
  static constexpr size_t kMost = 32;

  StretchHeap() = default;
  StretchHeap(const StretchHeap&) = delete;
  StretchHeap& operator=(const StretchHeap&) = delete;
  ~StretchHeap() {
    for (size_t i = 0; i < count_; ++i) Pages::unmap(stretches_[i].begin, stretches_[i].mapped());
  }

  void* malloc(size_t bytes) {
    if (bytes > kMaxRequest) return nullptr;
    const size_t needed = core::align_up(bytes == 0 ? 1 : bytes, kAlignment);
    if (count_ == 0 || !last().has_room(needed)) {
      Outcome outcome = count_ == 0 ? Outcome::kOccupied : lengthen(needed);
      if (outcome == Outcome::kOccupied) outcome = begin_another(needed);
      if (outcome != Outcome::kMapped) return nullptr;
    }
    void* const block = last().end;
    last().end += needed;
    return block;
  }
  void free(void*) {}

  // Gives the topmost bytes, a multiple of the alignment, back to the system: whole steps of them.
  // False, and nothing has changed: the last stretch has not so many.
  bool shrink(size_t bytes) {
    if (count_ == 0 || bytes > static_cast<size_t>(last().end - last().begin)) return false;
    Stretch& stretch = last();
    const core::KeptErrno kept_errno;
    stretch.end -= bytes;
    const auto kept = static_cast<size_t>(stretch.end - stretch.begin);
    char* const limit = stretch.begin + core::align_up(kept, kStep);
    if (limit < stretch.limit) Pages::unmap(limit, static_cast<size_t>(stretch.limit - limit));
    stretch.limit = limit;
    if (kept == 0) {
      --count_;
      from_ = stretch.begin - kHop;  // the next one may lie there
    }
    return true;
  }

  bool owns(const void* address) const {
    for (size_t i = count_; i-- > 0;) {
      if (address >= stretches_[i].begin && address < stretches_[i].end) return true;
    }
    return false;
  }

 private:
  struct Stretch {
    char* begin;
    char* end;    // of what was given out
    char* limit;  // of the mapping
    bool has_room(size_t bytes) const { return bytes <= static_cast<size_t>(limit - end); }
    size_t mapped() const { return static_cast<size_t>(limit - begin); }
  };
  static constexpr size_t kStep = size_t{64} << 10;
  static constexpr size_t kHop = size_t{1} << 20;  // from a stretch to the next, at least
  static constexpr size_t kFarthest = size_t{1} << 46;
  static_assert(kNearest <= kFarthest, "StretchHeap: no address lies so far above the break");

  Stretch& last() { return stretches_[count_ - 1]; }

  enum class Outcome { kMapped, kOccupied, kRefused };

  Outcome lengthen(size_t needed) {
    const auto room = static_cast<size_t>(last().limit - last().end);
    const size_t missing = core::align_up(needed - room, kStep);
    const Outcome outcome = map(last().limit, missing);
    if (outcome == Outcome::kMapped) last().limit += missing;
    return outcome;
  }
  MMT_COLD Outcome begin_another(size_t needed) {
    if (count_ == kMost) return Outcome::kRefused;
    if (count_ != 0) from_ = last().limit;
    if (from_ != nullptr) return begin_above(from_, kHop, needed);
    const Outcome outcome = begin_above(above_the_break(), kNearest, needed);
    if (outcome == Outcome::kMapped) return outcome;
    // Where the break lies among the libraries, there may be no room above it.
    return begin_above(begin_of_elsewhere(), kNearest, needed);
  }
  // At ever greater distances, so that what is in the way is passed whatever its size.
  Outcome begin_above(char* from, size_t nearest, size_t needed) {
    const size_t bytes = core::align_up(needed, kStep);
    for (size_t distance = nearest; distance <= kFarthest; distance *= 2) {
      char* const begin = from + distance;
      const Outcome outcome = map(begin, bytes);
      if (outcome == Outcome::kOccupied) continue;
      if (outcome == Outcome::kMapped) stretches_[count_++] = {begin, begin, begin + bytes};
      return outcome;
    }
    return Outcome::kRefused;
  }
  // Low in the address space, where a program that is placed at random has nothing.
  static char* begin_of_elsewhere() { return reinterpret_cast<char*>(uintptr_t{1} << 40); }
  static char* above_the_break() {
    char* const now = Pages::program_break();
    return now + ((0 - reinterpret_cast<uintptr_t>(now)) & (kStep - 1));
  }
  // It maps there and nowhere else. Kernels before 4.17 take the address for a wish.
  static Outcome map(char* begin, size_t bytes) {
    const int kept = errno;
    void* const at = Pages::map(begin, bytes, PROT_READ | PROT_WRITE, MAP_FIXED_NOREPLACE);
    if (at == begin) return Outcome::kMapped;
    const bool is_occupied = at != nullptr || errno == EEXIST;
    if (at != nullptr) Pages::unmap(at, bytes);
    if (is_occupied) errno = kept;  // another place will do
    return is_occupied ? Outcome::kOccupied : Outcome::kRefused;
  }

  char* from_ = nullptr;  // what the next stretch lies above; null: the break
  size_t count_ = 0;
  Stretch stretches_[kMost] = {};
};

}  // namespace mmt::layers
