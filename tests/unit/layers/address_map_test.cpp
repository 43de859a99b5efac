// AddressMap agrees with a map of the standard library, whatever is put in and taken out.
#include <unordered_map>

#include <gtest/gtest.h>

#include <mmt/layers/observe/address_map.h>

#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

const void* at(size_t n) { return reinterpret_cast<const void*>(0x10000 + 8 * n); }

TEST(AddressMap, FindsNothingWhenEmpty) {
  AddressMap<int> map;
  EXPECT_EQ(map.find(at(1)), nullptr);
  EXPECT_FALSE(map.erase(at(1)));
  map.for_each([](const void*, int) { FAIL(); });
}

TEST(AddressMap, AgreesWithAnother) {
  AddressMap<size_t> map;
  std::unordered_map<const void*, size_t> model;
  Random random(7);
  for (size_t i = 0; i < 200000; ++i) {
    const void* address = at(random.below(i < 100000 ? 20000 : 300));
    if (random.below(3) != 0) {
      size_t* value = map.insert(address);
      ASSERT_NE(value, nullptr);
      ASSERT_EQ(*value, model[address]);
      *value = model[address] = i;
    } else {
      ASSERT_EQ(map.erase(address), model.erase(address) == 1);
    }
    ASSERT_EQ(map.count(), model.size());
  }
  size_t visited = 0;
  map.for_each([&](const void* address, size_t value) {
    ++visited;
    EXPECT_EQ(model.at(address), value);
  });
  EXPECT_EQ(visited, model.size());
}

TEST(AddressMap, ErasesByCondition) {
  AddressMap<size_t> map;
  Random random(11);
  std::unordered_map<const void*, size_t> model;
  for (size_t i = 0; i < 5000; ++i) {
    const void* address = at(random.below(1 << 20));
    *map.insert(address) = i;
    model[address] = i;
  }
  const auto is_chosen = [](size_t value) { return value % 7 < 5; };
  map.erase_if(is_chosen);
  std::erase_if(model, [&](const auto& entry) { return is_chosen(entry.second); });
  EXPECT_EQ(map.count(), model.size());
  for (const auto& [address, value] : model) {
    ASSERT_NE(map.find(address), nullptr);
    EXPECT_EQ(*map.find(address), value);
  }
}

TEST(AddressMap, ForgetsAll) {
  AddressMap<int> map;
  *map.insert(at(3)) = 4;
  map.forget();
  EXPECT_EQ(map.count(), 0u);
  EXPECT_EQ(map.find(at(3)), nullptr);
  EXPECT_EQ(*map.insert(at(3)), 0);
}

}  // namespace
}  // namespace mmt::layers
