// These are natural numbers of any length. The digits are in a heap block, counted by reference. A
// copy shares the block. Every result of arithmetic is a block of its own, of just the length that
// it needs. A block holds the references, the number of digits, then the digits in base 2^32,
// lowest first, no leading 0.
// The numbers are not for several threads: the counts are plain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace mmt::workloads::classic::cfrac {

class Integer {
 public:
  static constexpr size_t kMaxDecimalDigits = 1000;

  Integer() : Integer(0) {}
  explicit Integer(uint64_t value);
  Integer(const Integer& other) : block_(other.block_) { ++block_->references; }
  Integer(Integer&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Integer& operator=(Integer other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Integer() { release(); }

  // False unless `text` is 1 to kMaxDecimalDigits decimal digits.
  static bool parse(std::string_view text, Integer* result);
  // Writes at most `room` characters, the ending zero included; false when they are too few.
  bool print(char* text, size_t room) const;

  bool is_zero() const { return block_->size == 0; }
  bool is_one() const { return block_->size == 1 && digits()[0] == 1; }
  bool is_odd() const { return block_->size > 0 && (digits()[0] & 1) != 0; }
  bool fits_u64() const { return block_->size <= 2; }
  // The lowest 64 bits.
  uint64_t low_u64() const;
  size_t bits() const;
  bool bit(size_t index) const;
  uint32_t remainder(uint32_t divisor) const;

  // Below, equal, above: negative, 0, positive.
  int compare(const Integer& other) const;
  friend bool operator==(const Integer& a, const Integer& b) { return a.compare(b) == 0; }
  friend bool operator<(const Integer& a, const Integer& b) { return a.compare(b) < 0; }
  friend bool operator<=(const Integer& a, const Integer& b) { return a.compare(b) <= 0; }

  friend Integer operator+(const Integer& a, const Integer& b);
  // Wants b <= a.
  friend Integer operator-(const Integer& a, const Integer& b);
  friend Integer operator*(const Integer& a, const Integer& b);
  // Quotient and remainder; wants b != 0. Either result may be null.
  friend void divide(const Integer& a, const Integer& b, Integer* quotient, Integer* rest);
  friend Integer operator/(const Integer& a, const Integer& b);
  friend Integer operator%(const Integer& a, const Integer& b);
  Integer divided_by(uint32_t divisor) const;
  Integer times(uint32_t factor) const;

  size_t size() const { return block_->size; }
  const uint32_t* digits() const { return reinterpret_cast<const uint32_t*>(block_ + 1); }

 private:
  struct Block {
    uint32_t references;
    uint32_t size;
  };

  struct Length {
    size_t digits;
  };
  // A block of its own, digits not set.
  explicit Integer(Length length);
  uint32_t* own_digits() { return reinterpret_cast<uint32_t*>(block_ + 1); }
  void normalise();
  void release();

  Block* block_;
};

void divide(const Integer& a, const Integer& b, Integer* quotient, Integer* rest);

}  // namespace mmt::workloads::classic::cfrac
