// The table of live objects beside a map of the standard library.
#include "tracing/live_objects.h"

#include <cstdint>
#include <map>
#include <random>

#include <gtest/gtest.h>

namespace mmt::tracing {
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
      const LiveObject born{.address = address, .bytes = number, .object = number & kMostObjects};
      ASSERT_EQ(objects.find_or_insert(born), nullptr);
      ASSERT_EQ(objects.find_or_insert(born), objects.find(address));
      wanted[address] = number;
    }
    ASSERT_EQ(objects.size(), wanted.size());
  }
  EXPECT_EQ(objects.all().size(), wanted.size());
  for (const LiveObject& one : objects.all()) EXPECT_EQ(one.object, wanted[one.address]);
}

// Arenas and size classes of an allocator, all of them in use from their start on.
TEST(LiveObjects, AreFoundSoonInDenseStretches) {
  for (const unsigned between : {16U, 20U, 21U, 29U}) {
    LiveObjects objects;
    for (std::uint64_t stretch = 0; stretch < 32; ++stretch) {
      for (std::uint64_t i = 0; i < 1000; ++i) {
        objects.insert({.address = 0x7F5500000000 + (stretch << between) + 32 * i});
      }
    }
    std::size_t steps = 0;
    for (const LiveObject& one : objects.all())
      steps += objects.steps_to(objects.find(one.address));
    EXPECT_LT(steps, 2 * objects.size()) << "stretches of 2^" << between;
  }
}

}  // namespace
}  // namespace mmt::tracing
