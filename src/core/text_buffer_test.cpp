// Text in a buffer of fixed size: columns, names, JSON strings, what does not fit.
#include "core/text_buffer.h"

#include <string>

#include <gtest/gtest.h>

namespace mmt::core {
namespace {

TEST(TextBuffer, QuotesControlBytes) {
  TextBuffer<100> text;
  text.quoted("a\n\x01\\\"é");
  EXPECT_STREQ(text.c_str(), R"("a\u000a\u0001\\\"é")");
}

// What a program is called is anybody's.
TEST(TextBuffer, QuotesWhatIsNoTextOrNotToBeSeen) {
  TextBuffer<200> text;
  text.quoted("\x1b\x7f\xc2\x9b\xff\xe2\x82\u202e\U000E0041\u65e5");
  EXPECT_STREQ(text.c_str(),
               "\"\\u001b\\u007f\\u009b\\ufffd\\ufffd\\ufffd\\u202e\\udb40\\udc41\u65e5\"");
}

TEST(TextBuffer, ShowsNamesVisibly) {
  TextBuffer<200> text;
  text.visible("a\x1b[31m\nb\xff");
  EXPECT_STREQ(text.c_str(), R"(a\x1b[31m\nb\xff)");
}

TEST(TextBuffer, FillsColumns) {
  TextBuffer<100> text;
  text.column("ab", 4).number(7, 3).column("long", 2);
  EXPECT_STREQ(text.c_str(), "ab    7long");
}

}  // namespace
}  // namespace mmt::core
