#pragma once
// These tell where the process has code, by /proc/self/maps: read once, and again when an address
// is asked for that was not there. Any thread may ask; one at a time may have it learn.
#include <atomic>
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

  struct Table {
    Range ranges[kMost];  // ascending
    size_t count = 0;

    void add(Range range);
    void read();
  };

  // A thread may still look at a table as the one after the next is read. It sees a mixture then,
  // and may take a word for code that is none.
  Table tables_[2];
  std::atomic<const Table*> current_{nullptr};
  uint32_t in_vain_ = 0;
};

}  // namespace mmt::harden
