// Where lines break.
#include "report/wrapped_text.h"

#include <gtest/gtest.h>

namespace mmt::report {
namespace {

TEST(WrappedText, ShortTextIsOneLine) {
  EXPECT_EQ(wrapped("name  ", "text", 10), "name  text\n");
  EXPECT_EQ(wrapped("", "", 10), "\n");
}

TEST(WrappedText, BreaksBetweenWords) {
  EXPECT_EQ(wrapped("> ", "one two three", 9), "> one two\n  three\n");
  EXPECT_EQ(wrapped("> ", "one two three", 8), "> one\n  two\n  three\n");
}

TEST(WrappedText, LongWordsStayWhole) {
  EXPECT_EQ(wrapped("> ", "a/very/long/path and more", 8), "> a/very/long/path\n  and\n  more\n");
  EXPECT_EQ(wrapped("a long label ", "text", 5), "a long label text\n");
}

}  // namespace
}  // namespace mmt::report
