// How often each count occurred: exact below 32, then eight ranges a power of two. So a range is no
// wider than an eighth of its smallest value. One thread may use it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace mmt::sim {

class Histogram {
 public:
  static constexpr uint64_t kExact = 32;
  static constexpr unsigned kParts = 8;  // of a power of two
  static constexpr unsigned kBuckets = kExact + (64 - 5) * kParts;

  void add(uint64_t value) { ++buckets_[bucket_of(value)]; }

  // visit(smallest value of the range, how often), for each range that has any, in order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (unsigned bucket = 0; bucket < kBuckets; ++bucket) {
      if (buckets_[bucket] != 0) visit(low_of(bucket), buckets_[bucket]);
    }
  }

  static constexpr unsigned bucket_of(uint64_t value) {
    if (value < kExact) return static_cast<unsigned>(value);
    const auto power = static_cast<unsigned>(std::bit_width(value)) - 1;
    const auto part = static_cast<unsigned>(value >> (power - 3)) & (kParts - 1);
    return static_cast<unsigned>(kExact) + (power - 5) * kParts + part;
  }
  static constexpr uint64_t low_of(unsigned bucket) {
    if (bucket < kExact) return bucket;
    const unsigned power = (bucket - static_cast<unsigned>(kExact)) / kParts + 5;
    const unsigned part = (bucket - static_cast<unsigned>(kExact)) % kParts;
    return (uint64_t{kParts} + part) << (power - 3);
  }

 private:
  std::array<uint64_t, kBuckets> buckets_{};
};

}  // namespace mmt::sim
