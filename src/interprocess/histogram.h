#pragma once
// Counts of values in log-linear buckets, 64 a power of two. A value read back is within 1.6% of
// the one that went in. The size is fixed, and nothing is allocated.
#include <bit>
#include <cstdint>

namespace mmt::latency {

inline constexpr unsigned kBucketBits = 6;
inline constexpr uint32_t kLinearBuckets = 1u << kBucketBits;
// The last octave has no upper end that fits 64 bits; no value comes near it.
inline constexpr uint32_t kBuckets = (63 - kBucketBits) * kLinearBuckets;

constexpr uint32_t bucket_of(uint64_t value) {
  if (value < kLinearBuckets) return static_cast<uint32_t>(value);
  const unsigned octave = static_cast<unsigned>(std::bit_width(value)) - kBucketBits;
  const uint64_t bucket = octave * kLinearBuckets + ((value >> (octave - 1)) - kLinearBuckets);
  return bucket < kBuckets ? static_cast<uint32_t>(bucket) : kBuckets - 1;
}

constexpr uint64_t lowest_of(uint32_t bucket) {
  if (bucket < kLinearBuckets) return bucket;
  const unsigned octave = bucket / kLinearBuckets;
  return static_cast<uint64_t>(bucket % kLinearBuckets + kLinearBuckets) << (octave - 1);
}

class Histogram {
 public:
  void add(uint64_t value) {
    add_to_bucket(bucket_of(value), 1);
    raise_max(value);
  }

  // It is for counts that were taken elsewhere.
  void add_to_bucket(uint32_t bucket, uint64_t times) {
    counts_[bucket] += times;
    count_ += times;
  }
  void raise_max(uint64_t value) {
    if (value > max_) max_ = value;
  }

  uint64_t count() const { return count_; }
  uint64_t max() const { return max_; }

  // The value that `share` (0 to 1) of all values do not exceed; 0 when empty.
  uint64_t quantile(double share) const {
    const auto wanted = static_cast<uint64_t>(share * static_cast<double>(count_));
    uint64_t seen = 0;
    for (uint32_t bucket = 0; bucket < kBuckets; ++bucket) {
      seen += counts_[bucket];
      if (seen > wanted) {
        const uint64_t middle = (lowest_of(bucket) + lowest_of(bucket + 1)) / 2;
        return middle < max_ ? middle : max_;
      }
    }
    return max_;
  }

 private:
  uint64_t counts_[kBuckets] = {};
  uint64_t count_ = 0;
  uint64_t max_ = 0;
};

}  // namespace mmt::latency
