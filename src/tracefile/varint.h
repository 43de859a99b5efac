#pragma once
// Numbers as bytes: seven bits each, lowest first, the eighth set where more follow.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace mmt::tracefile {

inline constexpr size_t kLongestVarint = 10;

// Writes at most kLongestVarint bytes; gives the place behind them.
inline uint8_t* put_varint(uint8_t* to, uint64_t value) {
  while (value >= 0x80) {
    *to++ = static_cast<uint8_t>(value | 0x80);
    value >>= 7;
  }
  *to++ = static_cast<uint8_t>(value);
  return to;
}

inline void append_varint(std::vector<uint8_t>& to, uint64_t value) {
  uint8_t bytes[kLongestVarint];
  to.insert(to.end(), bytes, put_varint(bytes, value));
}

// Takes numbers from bytes that may be anything. Past the end, or in a number of more than 64 bits,
// is_whole() becomes false for good and the rest reads as 0.
class VarintReader {
 public:
  VarintReader() = default;
  VarintReader(const uint8_t* from, size_t size) : at_(from), end_(from + size) {}

  uint64_t take() {
    if (at_ != end_ && *at_ < 0x80) return *at_++;
    return take_long();
  }

  std::string_view take_bytes(uint64_t size) {
    if (size > left()) {
      fail();
      return {};
    }
    const std::string_view bytes(reinterpret_cast<const char*>(at_), size);
    at_ += size;
    return bytes;
  }

  bool is_whole() const { return is_whole_; }
  size_t left() const { return static_cast<size_t>(end_ - at_); }

 private:
  void fail() {
    is_whole_ = false;
    at_ = end_;
  }

  uint64_t take_long() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && at_ != end_; shift += 7) {
      const uint64_t byte = *at_++;
      if (shift == 63 && byte > 1) break;
      value |= (byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }

  const uint8_t* at_ = nullptr;
  const uint8_t* end_ = nullptr;
  bool is_whole_ = true;
};

}  // namespace mmt::tracefile
