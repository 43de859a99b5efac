#pragma once
// What is known of a call (names/call.h), in two words, which are passed in registers.
#include <bit>
#include <cstddef>
#include <cstdint>

#include "names/call.h"

namespace mmt::harden {

using names::Form;

struct Call {
  const void* caller;
  uint64_t packed;

  constexpr Call() : Call(Form::kMalloc, nullptr, names::kUntold, names::kUntold) {}
  // `bytes` and `alignment` are what the program believes of the block, or kUntold.
  constexpr Call(Form form, const void* from, size_t bytes, size_t alignment)
      : caller(from), packed(static_cast<uint64_t>(form)) {
    if (bytes != names::kUntold) packed |= kHasBytes | uint64_t{bytes} << kBytesShift;
    if (alignment != names::kUntold)
      packed |= uint64_t{std::bit_width(alignment)} << kAlignmentShift;
  }

  constexpr Form form() const { return static_cast<Form>(packed & kFormMask); }
  constexpr Call with(Form form) const {
    Call other = *this;
    other.packed = (packed & ~kFormMask) | static_cast<uint64_t>(form);
    return other;
  }
  constexpr bool is_told() const { return packed > kFormMask; }
  constexpr bool has_bytes() const { return (packed & kHasBytes) != 0; }
  // The uppermost bits are lost: no block has so many bytes.
  constexpr size_t bytes() const { return packed >> kBytesShift; }
  constexpr bool has_alignment() const { return alignment_width() != 0; }
  constexpr size_t alignment() const { return size_t{1} << (alignment_width() - 1); }
  // Zero where it is not told.
  constexpr unsigned alignment_width() const {
    return static_cast<unsigned>(packed >> kAlignmentShift & 0x7f);
  }
  // The size alone, and the right one.
  constexpr bool tells(size_t size) const {
    return packed >> kHasBytesShift ==
           (uint64_t{size} << 1 << (kBytesShift - kHasBytesShift - 1) | 1);
  }

 private:
  static constexpr uint64_t kFormMask = 7;
  static constexpr unsigned kHasBytesShift = 3;
  static constexpr uint64_t kHasBytes = uint64_t{1} << kHasBytesShift;
  static constexpr unsigned kAlignmentShift = 4;
  static constexpr unsigned kBytesShift = 11;
};

}  // namespace mmt::harden
