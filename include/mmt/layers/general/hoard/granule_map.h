// What each granule of the address space is, a byte each: aligned stretches of kGranule bytes, 0
// for those that nobody set. Reading takes no lock; setting is for one thread at a time. The tables
// are mapped as they are needed, and stay.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mmt/core/compiler.h>
#include <mmt/layers/source/mmap_heap.h>

namespace mmt::layers {

template <size_t kGranule>
class GranuleMap {
  static_assert(std::has_single_bit(kGranule) && kGranule >= 4096,
                "GranuleMap: kGranule is no power of two of at least a page");

 public:
  constexpr GranuleMap() = default;
  GranuleMap(const GranuleMap&) = delete;
  GranuleMap& operator=(const GranuleMap&) = delete;
  ~GranuleMap() {
    for (std::atomic<Byte*>& table : tables_) {
      if (Byte* const bytes = table.load(std::memory_order_relaxed)) MmapHeap().free(bytes);
    }
  }

  MMT_ALWAYS_INLINE uint8_t of(const void* address) const {
    const size_t granule = number_of(address);
    if (MMT_UNLIKELY(granule >= kTables * kTable)) return 0;
    // Acquire: prepare() has made the table; release there.
    const Byte* const table = tables_[granule / kTable].load(std::memory_order_acquire);
    if (MMT_UNLIKELY(table == nullptr)) return 0;
    // Relaxed: a thread that has a block here got it from a thread that came after set().
    return table[granule % kTable].load(std::memory_order_relaxed);
  }

  // So that these can be set. False: no memory, or they lie beyond the address space.
  bool prepare(const void* begin, size_t granules) {
    const size_t first = number_of(begin);
    if (first + granules > kTables * kTable) return false;
    for (size_t t = first / kTable; t <= (first + granules - 1) / kTable; ++t) {
      if (tables_[t].load(std::memory_order_relaxed) != nullptr) continue;
      void* const table = MmapHeap().malloc(kTable);
      if (table == nullptr) return false;
      // Release: of() sees it zero.
      tables_[t].store(static_cast<Byte*>(table), std::memory_order_release);
    }
    if (first < low_) low_ = first;
    if (first + granules > high_) high_ = first + granules;
    return true;
  }
  void set(const void* begin, size_t granules, uint8_t value) {
    const size_t first = number_of(begin);
    for (size_t g = first; g != first + granules; ++g) {
      Byte* const table = tables_[g / kTable].load(std::memory_order_relaxed);
      table[g % kTable].store(value, std::memory_order_relaxed);
    }
  }

  // visit(begin, value) for each that is not 0, in order; it may set granules. One thread alone may
  // call it.
  template <class Visit>
  void for_each(Visit visit) {
    for (size_t g = low_ / kWord * kWord; g < high_; g += kWord) {
      const Byte* const table = tables_[g / kTable].load(std::memory_order_relaxed);
      uint64_t word = 0;
      if (table != nullptr) std::memcpy(&word, &table[g % kTable], kWord);
      if (table == nullptr) g |= kTable - kWord;
      for (size_t i = 0; word != 0 && i != kWord; ++i) {
        const uint8_t value = table[g % kTable + i].load(std::memory_order_relaxed);
        if (value != 0) visit(reinterpret_cast<char*>((g + i) * kGranule), value);
      }
    }
  }

 private:
  using Byte = std::atomic<uint8_t>;
  static_assert(sizeof(Byte) == 1);

  static constexpr size_t kWord = sizeof(uint64_t);
  static constexpr size_t kAddressBits = 48;  // of user space
  static constexpr size_t kTables = size_t{1} << 12;
  static constexpr size_t kTable = (size_t{1} << kAddressBits) / kTables / kGranule;

  static size_t number_of(const void* address) {
    return reinterpret_cast<uintptr_t>(address) / kGranule;
  }

  std::atomic<Byte*> tables_[kTables] = {};
  size_t low_ = SIZE_MAX;
  size_t high_ = 0;
};

}  // namespace mmt::layers
