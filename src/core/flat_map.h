// A map from numbers that are not 0 to others, in one table, which is probed one entry after the
// other. One thread may use it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmt::core {

template <class Value>
class FlatMap {
 public:
  struct Entry {
    uint64_t key = 0;  // 0: none
    Value value = 0;
  };

  // nullptr: it is not there.
  Entry* find(uint64_t key) {
    Entry& entry = entries_[place_of(key)];
    return entry.key == 0 ? nullptr : &entry;
  }
  // It must not be there.
  void add(uint64_t key, Value value) {
    if ((size_ + 1) * 2 > entries_.size()) grow();
    entries_[place_of(key)] = {key, value};
    ++size_;
  }
  // One that find() gave. Moves up those behind it that would no longer be found.
  void remove(Entry* entry) {
    const size_t mask = entries_.size() - 1;
    auto hole = static_cast<size_t>(entry - entries_.data());
    for (size_t next = (hole + 1) & mask; entries_[next].key != 0; next = (next + 1) & mask) {
      if (((next - home(entries_[next].key)) & mask) < ((next - hole) & mask)) continue;
      entries_[hole] = entries_[next];
      hole = next;
    }
    entries_[hole] = {};
    --size_;
  }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kFirst = 1024;
  static constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;  // spreads neighbours

  size_t home(uint64_t key) const { return (key * kGolden) >> shift_; }
  size_t place_of(uint64_t key) const {
    const size_t mask = entries_.size() - 1;
    size_t place = home(key);
    while (entries_[place].key != 0 && entries_[place].key != key) place = (place + 1) & mask;
    return place;
  }
  void grow() {
    std::vector<Entry> before(entries_.size() * 2);
    before.swap(entries_);
    --shift_;
    for (const Entry& entry : before) {
      if (entry.key != 0) entries_[place_of(entry.key)] = entry;
    }
  }

  std::vector<Entry> entries_ = std::vector<Entry>(kFirst);
  unsigned shift_ = 64 - static_cast<unsigned>(std::countr_zero(kFirst));
  size_t size_ = 0;
};

}  // namespace mmt::core
