// Tests of the aligned text tables.
#include "report/text_table.h"

#include <gtest/gtest.h>

namespace mmt::report {
namespace {

TEST(TextTable, AlignsColumnsAndTrimsLines) {
  TextTable table({{"name", Align::kLeft}, {"value"}, {"note", Align::kLeft}});
  table.add_row({"a", "1", "x"});
  table.add_row({"long name", "12345678"});
  EXPECT_EQ(table.render(),
            "name          value  note\n"
            "a                 1  x\n"
            "long name  12345678\n");
}

TEST(TextTable, LeavesOutColumnsThatAreEmptyEverywhere) {
  TextTable table({{"name", Align::kLeft}, {"empty"}, {"value"}});
  table.add_row({"a", "", "1"});
  EXPECT_EQ(table.render(), "name  value\na         1\n");
}

TEST(TextTable, BreaksTheLastColumnWhereItHasRoom) {
  TextTable table({{"n", Align::kLeft}, {"what it is", Align::kLeft}});
  table.add_row({"a", "words that go on below the first"});
  table.add_row({"b", ""});
  EXPECT_EQ(table.render(24), "n  what it is\na  words that go on\n   below the first\nb\n");
  EXPECT_EQ(table.render(80), table.render()) << "it fits";
}

TEST(TextTable, StacksWhatHasNoRoomBesideTheFirst) {
  TextTable table({{"n", Align::kLeft}, {"k", Align::kLeft}, {"what it is", Align::kLeft}});
  table.add_row({"first", "kind", "words below"});
  table.add_row({"b", "", ""});
  EXPECT_EQ(table.render(18),
            "n\n    k; what it is\n"
            "first\n    kind; words\n    below\n"
            "b\n");
}

TEST(TextTable, GapsSeparateGroups) {
  TextTable table({{"n"}});
  table.add_row({"1"});
  table.add_gap();
  table.add_row({"2"});
  EXPECT_EQ(table.render(), "n\n1\n\n2\n");
}

}  // namespace
}  // namespace mmt::report
