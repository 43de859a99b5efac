// Units in which tests count bytes and nanoseconds.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mmt::test {

inline constexpr size_t kKiB = 1024;
inline constexpr size_t kMiB = 1024 * kKiB;
inline constexpr uint64_t kMs = 1'000'000;
inline constexpr uint64_t kSecond = 1000 * kMs;

}  // namespace mmt::test
