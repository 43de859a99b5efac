// What may reach a terminal, and what becomes an escape.
#include "report/visible.h"

#include <string>

#include <gtest/gtest.h>

namespace mmt::report {
namespace {

TEST(Visible, LeavesPlainTextAlone) {
  const std::string text = "sort -u 'größe.txt' \\ 日本 \U0001F600 <b>";
  EXPECT_EQ(visible(text), text);
  EXPECT_EQ(visible(""), "");
}

TEST(Visible, EscapesControls) {
  EXPECT_EQ(visible("a\x1b[31mb\nc\rd\te\x7f"), "a\\x1b[31mb\\nc\\rd\\te\\x7f");
  EXPECT_EQ(visible(std::string(1, '\0')), "\\x00");
  EXPECT_EQ(visible("\xc2\x80\xc2\x9b\xc2\x9f"), "\\u0080\\u009b\\u009f");
  EXPECT_EQ(visible("\xc2\xa0"), "\xc2\xa0") << "the first behind the controls";
}

TEST(Visible, EscapesWhatTurnsOrHidesText) {
  EXPECT_EQ(visible("\u202e\u2066\u200f\u061c\ufeff\u2028"),
            "\\u202e\\u2066\\u200f\\u061c\\ufeff\\u2028");
  EXPECT_EQ(visible("\U000E0041"), "\\U000e0041");
}

// Each byte by itself: a terminal of another character set takes 0x9b for the beginning of an
// escape.
TEST(Visible, EscapesBytesThatAreNoText) {
  EXPECT_EQ(visible("a\x9b[b\xff"), "a\\x9b[b\\xff");
  EXPECT_EQ(visible("\xc3"), "\\xc3") << "cut off";
  EXPECT_EQ(visible("\xe2\x82"), "\\xe2\\x82") << "cut off";
  EXPECT_EQ(visible("\xc0\x8a"), "\\xc0\\x8a") << "a line's end in two bytes";
  EXPECT_EQ(visible("\xe0\x80\x8a"), "\\xe0\\x80\\x8a") << "and in three";
  EXPECT_EQ(visible("\xf0\x80\x80\x8a"), "\\xf0\\x80\\x80\\x8a") << "and in four";
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(visible("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond the last";
}

TEST(Visible, StaysAsItIsWhenShownAgain) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string once = visible(std::string(3, static_cast<char>(byte)));
    EXPECT_EQ(visible(once), once);
  }
}

TEST(Visible, KeepsEndsOfLinesWhereThereAreSeveral) {
  EXPECT_EQ(visible_lines("a\x1b\n\nb\r\n"), "a\\x1b\n\nb\\r\n");
  EXPECT_EQ(visible_lines("a"), "a");
  EXPECT_EQ(visible_lines(""), "");
}

}  // namespace
}  // namespace mmt::report
