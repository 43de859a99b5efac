// Copies and fillings touch what they should and nothing else, at every alignment and overlap. They
// are of every small size and of sizes around each change of method.
#include "sys/own/bytes.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::sys::own {
namespace {

constexpr size_t kMargin = 64;

std::vector<size_t> sizes() {
  std::vector<size_t> all;
  for (size_t size = 0; size <= 300; ++size) all.push_back(size);
  for (size_t size : {511, 512, 513, 1023, 1024, 4095, 4096, 4097}) all.push_back(size);
  return all;
}

std::vector<char> counted(size_t size) {
  std::vector<char> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 7 + i / 251);
  return bytes;
}

void move(char* to, const char* from, size_t size) {
  const void* result = size > kSmall ? move_large(to, from, size) : move_small(to, from, size);
  EXPECT_EQ(result, to);
}

void fill(char* to, int byte, size_t size) {
  const void* result =
      size > kSmall ? fill_large(to, byte, size) : fill_small(to, static_cast<uint8_t>(byte), size);
  EXPECT_EQ(result, to);
}

// Both ways, from and to the places given within one array.
void expect_moved(size_t to, size_t from, size_t size) {
  std::vector<char> ours = counted(size + 4 * kMargin);
  std::vector<char> right = ours;
  move(ours.data() + to, ours.data() + from, size);
  std::memmove(right.data() + to, right.data() + from, size);
  EXPECT_EQ(ours, right) << size << " bytes from " << from << " to " << to;
}

TEST(Bytes, MoveWithinThemselves) {
  for (const size_t size : sizes())
    for (size_t distance = 0; distance <= kMargin; ++distance) {
      expect_moved(kMargin + distance, kMargin, size);
      expect_moved(kMargin, kMargin + distance, size);
    }
}

TEST(Bytes, MoveToAnotherPlaceAtEveryAlignment) {
  for (const size_t size : sizes())
    for (size_t offset = 0; offset < 16; ++offset) {
      const std::vector<char> from = counted(size + 16);
      std::vector<char> ours(size + 2 * kMargin, 1);
      std::vector<char> right = ours;
      move(ours.data() + offset, from.data() + (offset * 5) % 16, size);
      std::memcpy(right.data() + offset, from.data() + (offset * 5) % 16, size);
      EXPECT_EQ(ours, right) << size;
    }
}

TEST(Bytes, AreFilledAtEveryAlignment) {
  for (const size_t size : sizes())
    for (size_t offset = 0; offset < 16; ++offset) {
      std::vector<char> ours = counted(size + kMargin);
      std::vector<char> right = ours;
      fill(ours.data() + offset, 0xa5, size);
      std::memset(right.data() + offset, 0xa5, size);
      EXPECT_EQ(ours, right) << size;
    }
}

TEST(Bytes, CompareAsUnsigned) {
  EXPECT_EQ(compare("abc", "abd", 2), 0);
  EXPECT_LT(compare("abc", "abd", 3), 0);
  EXPECT_GT(compare("\xff", "\x01", 1), 0);
  EXPECT_EQ(compare("a", "b", 0), 0);
}

}  // namespace
}  // namespace mmt::sys::own
