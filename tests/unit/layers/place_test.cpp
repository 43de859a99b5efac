// Places begin in the function that called; they are numbered once, and written by names.
#include <set>

#include <gtest/gtest.h>

#include <mmt/layers/observe/place.h>
#include <mmt/layers/observe/place_table.h>

#include "unit/layers/place_names.h"

namespace mmt::layers {
namespace {

// Stands for the functions of a layer between the program and place_from().
__attribute__((noinline)) Place place_of_caller() {
  const Place place = place_from(__builtin_return_address(0));
  KEEP_FRAME();
  return place;
}

}  // namespace

PLANTED(void place_in_inner(Place* place)) {
  *place = place_of_caller();
  KEEP_FRAME();
}
PLANTED(void place_in_outer(Place* place)) {
  place_in_inner(place);
  KEEP_FRAME();
}

namespace {

std::string written(const Place& place) {
  MemoryFile file;
  {
    TextOutput<64> out(file.descriptor());
    write_place(out, place);
  }
  return file.text();
}

TEST(Place, BeginsWithTheCaller) {
  Place place;
  place_in_outer(&place);
  EXPECT_TRUE(is_in(place, "place_in_inner"));
  Dl_info info;
  ASSERT_NE(place.frames[1], nullptr);
  EXPECT_STREQ(function_of(place.frames[1], &info), "place_in_outer");
}

TEST(Place, IsTheCallerAloneWhilePutOff) {
  Place place;
  put_off_places();
  place_in_outer(&place);
  EXPECT_TRUE(is_in(place, "place_in_inner"));
  EXPECT_EQ(place.frames[1], nullptr);
  prepare_places();
  place_in_outer(&place);
  EXPECT_NE(place.frames[1], nullptr);
}

TEST(Place, IsWrittenByNames) {
  Place place;
  place_in_outer(&place);
  const std::string text = written(place);
  const size_t inner = text.find("place_in_inner+0x");
  const size_t outer = text.find(" < place_in_outer+0x");
  EXPECT_EQ(inner, 0u) << text;
  EXPECT_NE(outer, std::string::npos) << text;
  const std::string program = program_invocation_short_name;
  EXPECT_NE(text.find(" (" + program + "+0x"), std::string::npos) << text;
}

TEST(Place, OfNobodyIsUnknown) {
  EXPECT_FALSE(place_from(nullptr).is_known());
  EXPECT_EQ(written(Place()), "unknown place");
}

TEST(Place, WithoutSymbolIsANumber) {
  Place place;
  place.frames[0] = reinterpret_cast<const void*>(0x1234);
  EXPECT_EQ(written(place), "0x1234");
}

TEST(PlaceTable, NumbersEachPlaceOnce) {
  PlaceTable<size_t> table;
  std::set<uint32_t> numbers;
  static constexpr size_t kPlaces = 5000;
  const auto nth = [](size_t n) {
    Place place;
    place.frames[0] = reinterpret_cast<const void*>(n / 70 + 1);
    place.frames[1] = reinterpret_cast<const void*>(n % 70);
    return place;
  };
  for (size_t n = 0; n < kPlaces; ++n) {
    const uint32_t number = table.number_of(nth(n));
    ASSERT_NE(number, 0u);
    table.tally(number) = n;
    numbers.insert(number);
  }
  EXPECT_EQ(numbers.size(), kPlaces);
  EXPECT_EQ(table.last(), kPlaces);
  for (size_t n = 0; n < kPlaces; ++n) {
    const uint32_t number = table.number_of(nth(n));
    ASSERT_EQ(table.tally(number), n);
    ASSERT_EQ(table.place(number), nth(n));
  }
  EXPECT_FALSE(table.place(0).is_known());
}

TEST(TextOutput, WritesWhatDoesNotFitItsBuffer) {
  MemoryFile file;
  {
    TextOutput<7> out(file.descriptor());
    out.text("a longer text than that: ").decimal(18446744073709551615u).put(' ').hex(0xbeef);
    out.put(' ').decimal(0);
  }
  EXPECT_EQ(file.text(), "a longer text than that: 18446744073709551615 beef 0");
}

TEST(TextOutput, KeepsErrnoAndDropsWhatCannotBeWritten) {
  TextOutput<16> out(-1);
  errno = EDOM;
  out.text("nobody reads this, whatever it says").flush();
  EXPECT_EQ(errno, EDOM);
}

}  // namespace
}  // namespace mmt::layers
