// Counts of values in log-linear buckets: 64 buckets a power of two, so a value read back is
// within 1.6% of the one that went in. Fixed size, never allocates.
#pragma once

#include <bit>
#include <cstdint>

namespace mmt::workloads {

class Histogram {
 public:
  void add(uint64_t value) {
    ++counts_[bucket_of(value)];
    ++count_;
    if (value > max_) max_ = value;
  }

  uint64_t count() const { return count_; }
  uint64_t max() const { return max_; }

  // The value that `share` (0 to 1) of all values do not exceed; 0 when empty.
  uint64_t quantile(double share) const {
    auto wanted = static_cast<uint64_t>(share * static_cast<double>(count_));
    uint64_t seen = 0;
    for (uint32_t bucket = 0; bucket < kBuckets; ++bucket) {
      seen += counts_[bucket];
      if (seen > wanted) {
        uint64_t middle = (lowest_of(bucket) + lowest_of(bucket + 1)) / 2;
        return middle < max_ ? middle : max_;
      }
    }
    return max_;
  }

 private:
  static constexpr unsigned kBits = 6;
  static constexpr uint32_t kLinear = 1u << kBits;
  // The last octave has no upper end that fits 64 bits; no value comes near it.
  static constexpr uint32_t kBuckets = (63 - kBits) * kLinear;

  static uint32_t bucket_of(uint64_t value) {
    if (value < kLinear) return static_cast<uint32_t>(value);
    unsigned octave = static_cast<unsigned>(std::bit_width(value)) - kBits;
    uint64_t bucket = octave * kLinear + ((value >> (octave - 1)) - kLinear);
    return bucket < kBuckets ? static_cast<uint32_t>(bucket) : kBuckets - 1;
  }
  static uint64_t lowest_of(uint32_t bucket) {
    if (bucket < kLinear) return bucket;
    unsigned octave = bucket / kLinear;
    return static_cast<uint64_t>(bucket % kLinear + kLinear) << (octave - 1);
  }

  uint64_t counts_[kBuckets] = {};
  uint64_t count_ = 0;
  uint64_t max_ = 0;
};

}  // namespace mmt::workloads
