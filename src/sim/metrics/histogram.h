// How often each count occurred: exact below 32, then eight ranges a power of two. One thread.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace mmt::sim {

class Histogram {
 public:
  static constexpr uint64_t kExact = 32;
  static constexpr unsigned kParts = 8;  // of a power of two
  static constexpr unsigned kSlots = kExact + (64 - 5) * kParts;

  void add(uint64_t value) { ++slots_[slot_of(value)]; }

  // visit(smallest value of the range, how often), for each range that has any, in order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      if (slots_[slot] != 0) visit(low_of(slot), slots_[slot]);
    }
  }

  static constexpr unsigned slot_of(uint64_t value) {
    if (value < kExact) return static_cast<unsigned>(value);
    const auto power = static_cast<unsigned>(std::bit_width(value)) - 1;
    const auto part = static_cast<unsigned>(value >> (power - 3)) & (kParts - 1);
    return static_cast<unsigned>(kExact) + (power - 5) * kParts + part;
  }
  static constexpr uint64_t low_of(unsigned slot) {
    if (slot < kExact) return slot;
    const unsigned power = (slot - static_cast<unsigned>(kExact)) / kParts + 5;
    const unsigned part = (slot - static_cast<unsigned>(kExact)) % kParts;
    return (uint64_t{kParts} + part) << (power - 3);
  }

 private:
  std::array<uint64_t, kSlots> slots_{};
};

}  // namespace mmt::sim
