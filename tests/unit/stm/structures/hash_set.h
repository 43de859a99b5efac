// A hash set: sorted lists, found by a multiplied key.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "unit/stm/structures/sorted_list.h"

namespace mmt::stm {

class HashSet {
 public:
  template <class Tx>
  bool insert(Tx& tx, long key) {
    return bucket(key).insert(tx, key);
  }
  template <class Tx>
  bool erase(Tx& tx, long key) {
    return bucket(key).erase(tx, key);
  }
  template <class Tx>
  bool contains(Tx& tx, long key) {
    return bucket(key).contains(tx, key);
  }
  template <class Tx>
  std::vector<long> keys(Tx& tx) {
    std::vector<long> all;
    for (SortedList& list : buckets_) {
      for (const long key : list.keys(tx)) all.push_back(key);
    }
    std::sort(all.begin(), all.end());
    return all;
  }
  const char* problem() const { return ""; }

 private:
  static constexpr uint32_t kBuckets = 16;
  SortedList& bucket(long key) {
    return buckets_[static_cast<uint32_t>(key) * 2654435761U % kBuckets];
  }
  SortedList buckets_[kBuckets];
};

}  // namespace mmt::stm
