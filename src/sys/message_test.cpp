// Lines on stderr: composed without allocating, cut off at the end of the buffer.
#include "sys/message.h"

#include <string>

#include <gtest/gtest.h>

namespace mmt::sys {
namespace {

template <class Fill>
std::string printed(Fill&& fill) {
  testing::internal::CaptureStderr();
  Message message;
  fill(message);
  message.print();
  return testing::internal::GetCapturedStderr();
}

TEST(Message, IsOneLine) {
  EXPECT_EQ(printed([](Message& m) { m.text("a ").text("bcd", 2).text(" ").number(0); }),
            "a bc 0\n");
  EXPECT_EQ(printed([](Message&) {}), "\n");
}

TEST(Message, WritesTheLargestNumber) {
  EXPECT_EQ(printed([](Message& m) { m.number(~uint64_t{0}); }), "18446744073709551615\n");
}

TEST(Message, CutsOffWhatDoesNotFit) {
  const std::string line = printed([](Message& m) {
    for (int i = 0; i < 1000; ++i) m.text("x");
  });
  EXPECT_GE(line.size(), 300u);
  EXPECT_LT(line.size(), 1000u);
  EXPECT_EQ(line.back(), '\n');
  EXPECT_EQ(line.find_first_not_of('x'), line.size() - 1);
}

}  // namespace
}  // namespace mmt::sys
