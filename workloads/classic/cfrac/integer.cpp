#include "cfrac/integer.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "base/fail.h"
#include "base/memory.h"

namespace mmt::workloads::classic::cfrac {

Integer::Integer(Length length)
    : block_(static_cast<Block*>(allocate(sizeof(Block) + length.digits * sizeof(uint32_t)))) {
  block_->references = 1;
  block_->size = static_cast<uint32_t>(length.digits);
}

Integer::Integer(uint64_t value)
    : Integer(Length{value == 0 ? size_t{0} : size_t{value >> 32 == 0 ? 1u : 2u}}) {
  uint32_t* to = own_digits();
  if (size() > 0) to[0] = static_cast<uint32_t>(value);
  if (size() > 1) to[1] = static_cast<uint32_t>(value >> 32);
}

void Integer::release() {
  if (block_ != nullptr && --block_->references == 0) std::free(block_);
}

void Integer::normalise() {
  while (block_->size > 0 && digits()[block_->size - 1] == 0) --block_->size;
}

uint64_t Integer::low_u64() const {
  uint64_t result = size() > 0 ? digits()[0] : 0;
  return size() > 1 ? result | static_cast<uint64_t>(digits()[1]) << 32 : result;
}

size_t Integer::bits() const {
  if (is_zero()) return 0;
  return (size() - 1) * 32 + static_cast<size_t>(std::bit_width(digits()[size() - 1]));
}

bool Integer::bit(size_t index) const {
  return index / 32 < size() && (digits()[index / 32] >> (index % 32) & 1) != 0;
}

uint32_t Integer::remainder(uint32_t divisor) const {
  uint64_t rest = 0;
  for (size_t i = size(); i-- > 0;) rest = (rest << 32 | digits()[i]) % divisor;
  return static_cast<uint32_t>(rest);
}

int Integer::compare(const Integer& other) const {
  if (size() != other.size()) return size() < other.size() ? -1 : 1;
  for (size_t i = size(); i-- > 0;) {
    if (digits()[i] != other.digits()[i]) return digits()[i] < other.digits()[i] ? -1 : 1;
  }
  return 0;
}

Integer operator+(const Integer& a, const Integer& b) {
  const Integer& longer = a.size() < b.size() ? b : a;
  const Integer& shorter = a.size() < b.size() ? a : b;
  Integer result(Integer::Length{longer.size() + 1});
  uint32_t* to = result.own_digits();
  uint64_t carry = 0;
  for (size_t i = 0; i < longer.size(); ++i) {
    carry += longer.digits()[i];
    if (i < shorter.size()) carry += shorter.digits()[i];
    to[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  to[longer.size()] = static_cast<uint32_t>(carry);
  result.normalise();
  return result;
}

Integer operator-(const Integer& a, const Integer& b) {
  if (a < b) fail("wrong: a difference of natural numbers is negative");
  Integer result(Integer::Length{a.size()});
  uint32_t* to = result.own_digits();
  uint64_t borrow = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    uint64_t taken = borrow + (i < b.size() ? b.digits()[i] : 0);
    borrow = a.digits()[i] < taken ? 1 : 0;
    to[i] = static_cast<uint32_t>(a.digits()[i] - taken);
  }
  result.normalise();
  return result;
}

Integer operator*(const Integer& a, const Integer& b) {
  Integer result(Integer::Length{a.size() + b.size()});
  uint32_t* to = result.own_digits();
  std::fill(to, to + result.size(), 0u);
  for (size_t i = 0; i < a.size(); ++i) {
    uint64_t carry = 0;
    uint64_t factor = a.digits()[i];
    for (size_t j = 0; j < b.size(); ++j) {
      carry += factor * b.digits()[j] + to[i + j];
      to[i + j] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    to[i + b.size()] = static_cast<uint32_t>(carry);
  }
  result.normalise();
  return result;
}

Integer Integer::times(uint32_t factor) const {
  Integer result(Length{size() + 1});
  uint64_t carry = 0;
  for (size_t i = 0; i < size(); ++i) {
    carry += static_cast<uint64_t>(digits()[i]) * factor;
    result.own_digits()[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  result.own_digits()[size()] = static_cast<uint32_t>(carry);
  result.normalise();
  return result;
}

Integer Integer::divided_by(uint32_t divisor) const {
  Integer result(Length{size()});
  uint64_t rest = 0;
  for (size_t i = size(); i-- > 0;) {
    rest = rest << 32 | digits()[i];
    result.own_digits()[i] = static_cast<uint32_t>(rest / divisor);
    rest %= divisor;
  }
  result.normalise();
  return result;
}

namespace {

// divide() of numbers whose quotient has n - m + 1 digits. `u` has n + 1 digits and becomes the
// rest. `v` has m >= 2 digits and its highest bit is set. Knuth, volume 2, 4.3.1, algorithm D.
void divide_digits(uint32_t* u, size_t n, const uint32_t* v, size_t m, uint32_t* quotient) {
  for (size_t j = n - m + 1; j-- > 0;) {
    uint64_t head = static_cast<uint64_t>(u[j + m]) << 32 | u[j + m - 1];
    uint64_t guess = head / v[m - 1];
    uint64_t rest = head % v[m - 1];
    while (guess >> 32 != 0 || guess * v[m - 2] > (rest << 32 | u[j + m - 2])) {
      --guess;
      rest += v[m - 1];
      if (rest >> 32 != 0) break;
    }
    uint64_t borrow = 0;
    uint64_t carry = 0;
    for (size_t i = 0; i < m; ++i) {
      carry += guess * v[i];
      uint64_t taken = (carry & UINT32_MAX) + borrow;
      carry >>= 32;
      borrow = u[i + j] < taken ? 1 : 0;
      u[i + j] = static_cast<uint32_t>(u[i + j] - taken);
    }
    uint64_t taken = carry + borrow;
    bool too_much = u[j + m] < taken;
    u[j + m] = static_cast<uint32_t>(u[j + m] - taken);
    if (too_much) {
      --guess;
      carry = 0;
      for (size_t i = 0; i < m; ++i) {
        carry += static_cast<uint64_t>(u[i + j]) + v[i];
        u[i + j] = static_cast<uint32_t>(carry);
        carry >>= 32;
      }
      u[j + m] += static_cast<uint32_t>(carry);
    }
    if (quotient != nullptr) quotient[j] = static_cast<uint32_t>(guess);
  }
}

// Both of `size` digits; what is shifted out at the top is returned.
uint32_t shift_left(const uint32_t* from, size_t size, unsigned shift, uint32_t* to) {
  uint64_t carry = 0;
  for (size_t i = 0; i < size; ++i) {
    carry |= static_cast<uint64_t>(from[i]) << shift;
    to[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  return static_cast<uint32_t>(carry);
}

}  // namespace

void divide(const Integer& a, const Integer& b, Integer* quotient, Integer* rest) {
  if (b.is_zero()) fail("wrong: a division by 0");
  if (a < b) {
    Integer whole = a;  // Either result may be an operand.
    if (quotient != nullptr) *quotient = Integer(0);
    if (rest != nullptr) *rest = std::move(whole);
    return;
  }
  if (b.size() == 1) {
    uint32_t divisor = b.digits()[0];
    Integer over = rest != nullptr ? Integer(a.remainder(divisor)) : a;
    if (quotient != nullptr) *quotient = a.divided_by(divisor);
    if (rest != nullptr) *rest = std::move(over);
    return;
  }
  size_t n = a.size(), m = b.size();
  auto shift = static_cast<unsigned>(std::countl_zero(b.digits()[m - 1]));
  Integer divisor(Integer::Length{m});
  shift_left(b.digits(), m, shift, divisor.own_digits());
  Integer left(Integer::Length{n + 1});
  uint32_t* u = left.own_digits();
  u[n] = shift_left(a.digits(), n, shift, u);
  if (quotient != nullptr) {
    Integer result(Integer::Length{n - m + 1});
    divide_digits(u, n, divisor.digits(), m, result.own_digits());
    result.normalise();
    *quotient = std::move(result);
  } else {
    divide_digits(u, n, divisor.digits(), m, nullptr);
  }
  if (rest == nullptr) return;
  for (size_t i = 0; i < m; ++i) {
    uint64_t pair = static_cast<uint64_t>(u[i + 1]) << 32 | u[i];
    u[i] = static_cast<uint32_t>(pair >> shift);
  }
  left.block_->size = static_cast<uint32_t>(m);
  left.normalise();
  *rest = std::move(left);
}

Integer operator/(const Integer& a, const Integer& b) {
  Integer result;
  divide(a, b, &result, nullptr);
  return result;
}

Integer operator%(const Integer& a, const Integer& b) {
  Integer result;
  divide(a, b, nullptr, &result);
  return result;
}

}  // namespace mmt::workloads::classic::cfrac
