#pragma once
// These tell where the process has code, by /proc/self/maps: read once, and again when an address
// is asked for that was not there. There is one caller at a time.
#include <cstddef>
#include <cstdint>

namespace mmt::harden {

class Code {
 public:
  // Sees to it that the address, which is one of code, is known.
  void learn(const void* address);
  bool has(uintptr_t address) const;

 private:
  static constexpr size_t kMost = 512;
  // So many addresses that are unknown all the same, before the next reading.
  static constexpr uint32_t kPatience = 256;

  struct Range {
    uintptr_t start;
    uintptr_t end;
  };

  void read();
  void add(Range range);

  Range ranges_[kMost];  // ascending
  size_t count_ = 0;
  uint32_t in_vain_ = 0;
};

}  // namespace mmt::harden
