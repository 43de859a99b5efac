// The table of live objects beside a map of the standard library.
#include "cli/trace/live_objects.h"

#include <cstdint>
#include <map>
#include <random>

#include <gtest/gtest.h>

namespace mmt::cli {
namespace {

TEST(LiveObjects, AreThoseOfAMap) {
  LiveObjects objects;
  std::map<std::uint64_t, std::uint64_t> wanted;
  std::mt19937_64 random(1);
  for (std::uint64_t number = 1; number < 50'000; ++number) {
    // Neighbours, and addresses far apart that have the same place.
    const std::uint64_t address = 16 * (1 + random() % 500) + ((random() % 4) << 40);
    LiveObject* const found = objects.find(address);
    ASSERT_EQ(found != nullptr, wanted.contains(address)) << number;
    if (found != nullptr) {
      ASSERT_EQ(found->object, wanted[address]);
      objects.erase(found);
      wanted.erase(address);
    } else {
      objects.insert({.address = address, .bytes = number, .object = number & kMostObjects});
      wanted[address] = number;
    }
    ASSERT_EQ(objects.size(), wanted.size());
  }
  EXPECT_EQ(objects.all().size(), wanted.size());
  for (const LiveObject& one : objects.all()) EXPECT_EQ(one.object, wanted[one.address]);
}

}  // namespace
}  // namespace mmt::cli
