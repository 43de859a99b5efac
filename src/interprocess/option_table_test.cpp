// Tests of the table of options: what each kind takes, and that fields are filled and read back.
#include "interprocess/option_table.h"

#include <cstddef>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

namespace mmt::options {
namespace {

enum class Colour : uint8_t { kRed, kGreen };

struct Things {
  bool quiet = true;
  Colour colour = Colour::kRed;
  uint32_t wide = 7;
  int64_t deep = -1;
  uint32_t delay = 0;
  const char* path = nullptr;
};

constexpr Row kRows[] = {
    {"quiet", "", Kind::kSwitch, nullptr, "on|off",
     field(offsetof(Things, quiet), sizeof(Things::quiet)), ""},
    {"colour", "", Kind::kChoice, nullptr, "red|green",
     field(offsetof(Things, colour), sizeof(Things::colour)), ""},
    {"very_wide", "", Kind::kBytes, nullptr, "1..2K",
     field(offsetof(Things, wide), sizeof(Things::wide)), ""},
    {"deep", "", Kind::kCount, nullptr, "-20..19",
     field(offsetof(Things, deep), sizeof(Things::deep)), ""},
    {"delay", "", Kind::kMilliseconds, nullptr, "0..5000",
     field(offsetof(Things, delay), sizeof(Things::delay)), ""},
    {"path", "", Kind::kPath, nullptr, "file", field(offsetof(Things, path), sizeof(Things::path)),
     ""},
};
constexpr Table kTable{kRows, 6};

Text text(const char* of) { return {of, std::strlen(of)}; }

// What is wrong with it; empty: it is in `things` now.
std::string set(Things* things, const char* name, const char* value) {
  const Row* row = find(kTable, text(name));
  if (row == nullptr) return "no such option";
  Value parsed{};
  const char* problem = parse(*row, text(value), &parsed);
  if (problem != nullptr) return problem;
  if (row->kind == Kind::kPath) parsed.text = value;
  row->field.store(things, parsed);
  return "";
}

TEST(OptionTable, FieldsAreFilledByKind) {
  Things things;
  EXPECT_EQ(set(&things, "quiet", "no"), "");
  EXPECT_EQ(set(&things, "colour", "green"), "");
  EXPECT_EQ(set(&things, "very_wide", "1k"), "");
  EXPECT_EQ(set(&things, "deep", "-20"), "");
  EXPECT_EQ(set(&things, "path", "/x"), "");
  EXPECT_FALSE(things.quiet);
  EXPECT_EQ(things.colour, Colour::kGreen);
  EXPECT_EQ(things.wide, 1024u);
  EXPECT_EQ(things.deep, -20);
  EXPECT_STREQ(things.path, "/x");
  EXPECT_EQ(find(kTable, text("very_wide"))->field.load(&things).number, 1024);
  EXPECT_STREQ(find(kTable, text("path"))->field.load(&things).text, "/x");
}

TEST(OptionTable, SizesAndTimesHaveUnits) {
  Things things;
  for (const char* size : {"2K", "2k", "2KB", "2KiB", "2048"}) {
    things.wide = 0;
    EXPECT_EQ(set(&things, "very_wide", size), "") << size;
    EXPECT_EQ(things.wide, 2048u) << size;
  }
  for (const char* time : {"2000", "2000ms", "2s"}) {
    things.delay = 0;
    EXPECT_EQ(set(&things, "delay", time), "") << time;
    EXPECT_EQ(things.delay, 2000u) << time;
  }
  for (const char* wrong : {"2KiBs", "2iB", "2KK", "2s", "2ms", "2 K"})
    EXPECT_EQ(set(&things, "very_wide", wrong), "not a whole number") << wrong;
  for (const char* wrong : {"2sec", "s", "ms", "2KiB", "2KB"})
    EXPECT_EQ(set(&things, "delay", wrong), "not a whole number") << wrong;
  EXPECT_EQ(set(&things, "delay", "6s"), "out of range");
}

TEST(OptionTable, SwitchesHaveFourWordsEach) {
  Things things;
  for (const char* word : {"on", "1", "true", "yes"}) {
    things.quiet = false;
    EXPECT_EQ(set(&things, "quiet", word), "");
    EXPECT_TRUE(things.quiet) << word;
  }
  for (const char* word : {"off", "0", "false", "no"}) {
    EXPECT_EQ(set(&things, "quiet", word), "");
    EXPECT_FALSE(things.quiet) << word;
    things.quiet = true;
  }
}

TEST(OptionTable, BothSpellingsAreTheSameName) {
  EXPECT_EQ(find(kTable, text("very-wide")), find(kTable, text("very_wide")));
  EXPECT_NE(find(kTable, text("very-wide")), nullptr);
  for (const char* wrong : {"", "very", "very_wide_", "wide", "verywide"})
    EXPECT_EQ(find(kTable, text(wrong)), nullptr) << wrong;
}

TEST(OptionTable, WrongValuesAreRefused) {
  Things things;
  for (const char* wrong : {"", "maybe", "o", "on|off"})
    EXPECT_NE(set(&things, "quiet", wrong), "");
  for (const char* wrong : {"", "red|green", "re", "blue"})
    EXPECT_NE(set(&things, "colour", wrong), "");
  for (const char* wrong : {"", "0", "2049", "3K", "-1", "1.5", "K", "99999999999999999999"})
    EXPECT_NE(set(&things, "very_wide", wrong), "") << wrong;
  EXPECT_NE(set(&things, "deep", "-21"), "");
  EXPECT_NE(set(&things, "path", ""), "");
}

}  // namespace
}  // namespace mmt::options
