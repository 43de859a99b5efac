// The arithmetic of the language, for constants and for programs that are run: in 64 bits, cut to
// the size of the operands' type. Where C leaves a result open, it is what two's complement gives;
// the number of bits to shift by counts modulo the size.
#pragma once

#include "classic/cfront/failure.h"

// From kAdd to kLessEqual in the order of the tree's nodes.
enum Operation {
  kNegate,
  kComplement,
  kNot,
  kConvert,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
  kShiftLeft,
  kShiftRight,
  kAnd,
  kOr,
  kXor,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
};

static inline int64_t cut(int64_t number, int size, bool is_unsigned) {
  if (size == 8) return number;
  const int bits = 64 - 8 * size;
  const uint64_t high = (uint64_t)number << bits;
  return is_unsigned ? (int64_t)(high >> bits) : (int64_t)high >> bits;
}

// False where there is no result: a division by zero, or of the least number by -1.
static inline bool divide(enum Operation operation, bool is_unsigned, int64_t a, int64_t b,
                          int64_t* result) {
  if (b == 0 || (!is_unsigned && b == -1 && a == INT64_MIN)) return false;
  if (is_unsigned) {
    *result =
        (int64_t)(operation == kDivide ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b);
  } else {
    *result = operation == kDivide ? a / b : a % b;
  }
  return true;
}

static inline bool compute(enum Operation operation, int size, bool is_unsigned, int64_t a,
                           int64_t b, int64_t* result) {
  const uint64_t x = (uint64_t)a, y = (uint64_t)b;
  const unsigned bits = (unsigned)y & (unsigned)(8 * size - 1);
  const bool is_less = is_unsigned ? x < y : a < b;
  uint64_t z = 0;
  switch (operation) {
    case kEqual:
      *result = a == b;
      return true;
    case kNotEqual:
      *result = a != b;
      return true;
    case kLess:
      *result = is_less;
      return true;
    case kLessEqual:
      *result = is_less || a == b;
      return true;
    case kNot:
      *result = a == 0;
      return true;
    case kDivide:
    case kRemainder:
      if (!divide(operation, is_unsigned, a, b, result)) return false;
      z = (uint64_t)*result;
      break;
    case kNegate:
      z = 0 - x;
      break;
    case kComplement:
      z = ~x;
      break;
    case kConvert:
      z = x;
      break;
    case kAdd:
      z = x + y;
      break;
    case kSubtract:
      z = x - y;
      break;
    case kMultiply:
      z = x * y;
      break;
    case kShiftLeft:
      z = x << bits;
      break;
    case kShiftRight:
      z = is_unsigned ? x >> bits : (uint64_t)(a >> bits);
      break;
    case kAnd:
      z = x & y;
      break;
    case kOr:
      z = x | y;
      break;
    case kXor:
      z = x ^ y;
      break;
  }
  *result = cut((int64_t)z, size, is_unsigned);
  return true;
}
