// Numbers as bytes and back, and bytes that are no numbers.
#include "tracefile/varint.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "tracefile/checksum.h"

namespace mmt::tracefile {
namespace {

TEST(Varint, ComesBack) {
  std::vector<uint64_t> values{0, 1, 127, 128, UINT64_MAX};
  for (unsigned bit = 0; bit < 64; ++bit) values.push_back(uint64_t{1} << bit);
  std::vector<uint8_t> bytes;
  for (const uint64_t one : values) append_varint(bytes, one);
  VarintReader from(bytes.data(), bytes.size());
  for (const uint64_t one : values) EXPECT_EQ(from.take(), one);
  EXPECT_TRUE(from.is_whole());
  EXPECT_EQ(from.left(), 0u);
}

TEST(Varint, SaysWhenBytesEnd) {
  const std::vector<uint8_t> bytes{0x80, 0x80};
  VarintReader from(bytes.data(), bytes.size());
  EXPECT_EQ(from.take(), 0u);
  EXPECT_FALSE(from.is_whole());
  EXPECT_EQ(from.take_bytes(1), "");
  EXPECT_EQ(from.take(), 0u);
}

TEST(Varint, RefusesMoreThan64Bits) {
  const std::vector<uint8_t> bytes(11, 0xFF);
  VarintReader from(bytes.data(), bytes.size());
  from.take();
  EXPECT_FALSE(from.is_whole());
}

TEST(Checksum, IsThatOfZip) {
  EXPECT_EQ(crc32(0, "123456789", 9), 0xCBF43926u);
  EXPECT_EQ(crc32(crc32(0, "1234", 4), "56789", 5), 0xCBF43926u);
}

}  // namespace
}  // namespace mmt::tracefile
