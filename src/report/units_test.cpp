// Tests of the formatting of values with units.
#include "report/units.h"

#include <cmath>

#include <gtest/gtest.h>

namespace mmt::report {
namespace {

TEST(Units, NumbersKeepThreeSignificantDigits) {
  EXPECT_EQ(format_number(0), "0");
  EXPECT_EQ(format_number(0.012345), "0.0123");
  EXPECT_EQ(format_number(0.5), "0.500");
  EXPECT_EQ(format_number(0.99949), "0.999");
  EXPECT_EQ(format_number(0.9996), "1.00");
  EXPECT_EQ(format_number(9.999), "10.0");
  EXPECT_EQ(format_number(15.34), "15.3");
  EXPECT_EQ(format_number(1534.4), "1534");
  EXPECT_EQ(format_number(-2.5), "-2.50");
  EXPECT_EQ(format_number(std::nan("")), "-");
}

TEST(Units, CountsAreGrouped) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(1234567), "1,234,567");
}

TEST(Units, BytesUseBinaryPrefixes) {
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(1536), "1.50 KiB");
  EXPECT_EQ(format_bytes(1024 * 1024 - 1), "1.00 MiB");
  EXPECT_EQ(format_bytes(5.0 * 1024 * 1024 * 1024), "5.00 GiB");
  EXPECT_EQ(format_bytes(0x1p60), "1.00 EiB");
}

TEST(Units, TimesAreScaled) {
  EXPECT_EQ(format_value(1.534, "s"), "1.53 s");
  EXPECT_EQ(format_value(0.0123, "s"), "12.3 ms");
  EXPECT_EQ(format_value(252, "ns"), "252 ns");
  EXPECT_EQ(format_value(200000, "ns"), "200 us");
  EXPECT_EQ(format_value(0, "ns"), "0 s");
}

TEST(Units, OtherUnits) {
  EXPECT_EQ(format_value(1234, "count"), "1,234");
  EXPECT_EQ(format_value(2, "flag"), "2");
  EXPECT_EQ(format_value(2.5, "requests/s"), "2.50 requests/s");
  EXPECT_TRUE(higher_is_better("1/s"));
  EXPECT_FALSE(higher_is_better("s"));
}

}  // namespace
}  // namespace mmt::report
