// Places by number, each once, with a Tally of the user's. Number 0 is the unknown place, where
// also goes what finds no memory. Its memory is mapped apart. One thread may use it.
#pragma once

#include <cstdint>
#include <type_traits>

#include <mmt/core/compiler.h>
#include <mmt/layers/observe/place.h>
#include <mmt/layers/source/mmap_heap.h>

namespace mmt::layers {

template <class Tally>
class PlaceTable {
  static_assert(std::is_trivially_copyable_v<Tally>, "PlaceTable: tallies are moved as bytes");

 public:
  PlaceTable() = default;
  PlaceTable(const PlaceTable&) = delete;
  PlaceTable& operator=(const PlaceTable&) = delete;
  ~PlaceTable() {
    if (entries_ != nullptr) MmapHeap().free(entries_);
    if (index_ != nullptr) MmapHeap().free(index_);
  }

  // It works as place_from().
  uint32_t number_of_place_from(const void* caller) { return number_of(place_from(caller)); }
  uint32_t number_of(const Place& place) {
    if (2 * (count_ + 1) > capacity_ && !grow()) return 0;
    uint32_t& number = cell_of(place);
    if (number == 0) {
      number = ++count_;
      entries_[number] = {place, Tally()};
    }
    return number;
  }

  Place place(uint32_t number) const { return number == 0 ? Place() : entries_[number].place; }
  Tally& tally(uint32_t number) { return number == 0 ? unknown_ : entries_[number].tally; }
  const Tally& tally(uint32_t number) const {
    return number == 0 ? unknown_ : entries_[number].tally;
  }
  // The numbers are 0 to this.
  uint32_t last() const { return count_; }

  void reset_tallies() {
    for (uint32_t i = 0; i <= count_; ++i) tally(i) = Tally();
  }

 private:
  static constexpr uint32_t kFirstCapacity = 512;
  static constexpr uint32_t kMostCapacity = uint32_t{1} << 31;

  struct Entry {
    Place place;
    Tally tally;
  };

  uint32_t& cell_of(const Place& place) const {
    uint64_t hash = 0;
    for (const void* frame : place.frames) {
      hash = (hash ^ reinterpret_cast<uintptr_t>(frame)) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
    auto i = static_cast<uint32_t>(hash) & (capacity_ - 1);
    while (index_[i] != 0 && entries_[index_[i]].place != place) i = (i + 1) & (capacity_ - 1);
    return index_[i];
  }

  // Room for half the capacity in entries, after the one that number 0 leaves unused.
  MMT_NOINLINE bool grow() {
    if (capacity_ == kMostCapacity) return false;
    const uint32_t capacity = capacity_ == 0 ? kFirstCapacity : 2 * capacity_;
    const size_t bytes = (capacity / 2 + 1) * sizeof(Entry);
    void* entries =
        entries_ == nullptr ? MmapHeap().malloc(bytes) : MmapHeap().remap(entries_, bytes);
    if (entries == nullptr) return false;
    entries_ = static_cast<Entry*>(entries);
    auto* index = static_cast<uint32_t*>(MmapHeap().malloc(capacity * sizeof(uint32_t)));
    if (index == nullptr) return false;
    if (index_ != nullptr) MmapHeap().free(index_);
    index_ = index;
    capacity_ = capacity;
    for (uint32_t i = 1; i <= count_; ++i) cell_of(entries_[i].place) = i;
    return true;
  }

  Entry* entries_ = nullptr;
  uint32_t* index_ = nullptr;  // numbers by the hash of their places
  uint32_t capacity_ = 0;      // of the index: 0 or a power of two
  uint32_t count_ = 0;
  Tally unknown_{};
};

}  // namespace mmt::layers
