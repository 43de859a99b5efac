#pragma once
// Size arithmetic that cannot wrap unnoticed, and power-of-two rounding.
// Pure functions: any thread, any context.
#include <bit>
#include <cstddef>
#include <cstdint>

namespace mmt::core {

// Puts a*b into *product and returns true, or returns false when it does not fit in size_t.
constexpr bool checked_multiply(size_t a, size_t b, size_t* product) {
  return !__builtin_mul_overflow(a, b, product);
}

// Rounds up to a multiple of `alignment` (a power of two). The caller rules out overflow.
constexpr size_t align_up(size_t value, size_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

constexpr size_t align_down(size_t value, size_t alignment) { return value & ~(alignment - 1); }

constexpr size_t ceil_div(size_t a, size_t b) { return (a + b - 1) / b; }

}  // namespace mmt::core
