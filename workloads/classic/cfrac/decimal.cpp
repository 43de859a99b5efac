// Integers as decimal text.
#include <algorithm>

#include "cfrac/integer.h"

namespace mmt::workloads::classic::cfrac {

namespace {

constexpr uint32_t kChunk = 1'000'000'000;
constexpr size_t kChunkDigits = 9;

}  // namespace

bool Integer::parse(std::string_view text, Integer* result) {
  if (text.empty() || text.size() > kMaxDecimalDigits) return false;
  Integer value;
  for (size_t i = 0; i < text.size();) {
    uint32_t chunk = 0;
    uint32_t scale = 1;
    for (size_t end = std::min(text.size(), i + kChunkDigits); i < end; ++i, scale *= 10) {
      if (text[i] < '0' || text[i] > '9') return false;
      chunk = chunk * 10 + static_cast<uint32_t>(text[i] - '0');
    }
    value = value.times(scale) + Integer(chunk);
  }
  *result = std::move(value);
  return true;
}

bool Integer::print(char* text, size_t room) const {
  // From the lowest digit on, then turned round.
  size_t length = 0;
  Integer left = *this;
  do {
    uint32_t chunk = left.remainder(kChunk);
    left = left.divided_by(kChunk);
    for (size_t i = 0; i < kChunkDigits && (chunk != 0 || !left.is_zero() || i == 0); ++i) {
      if (length + 1 >= room) return false;
      text[length++] = static_cast<char>('0' + chunk % 10);
      chunk /= 10;
    }
  } while (!left.is_zero());
  std::reverse(text, text + length);
  text[length] = '\0';
  return true;
}

}  // namespace mmt::workloads::classic::cfrac
