// Where the parts of a client lie: caches and bitmap words fill its footprint without overlap.
#include "heap/object/client.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sys/pages.h>

#include "heap/object/heap.h"

namespace mmt::heap {
namespace {

using Range = std::pair<const char*, const char*>;

class ClientTest : public ::testing::Test {
 protected:
  ClientTest() : client(static_cast<Client*>(sys::map_anywhere(Client::footprint()))) {
    client->open(heap, 3);
  }
  ~ClientTest() override { sys::unmap(client, Client::footprint()); }

  template <class T>
  static Range range(const T* from, size_t count) {
    return {reinterpret_cast<const char*>(from), reinterpret_cast<const char*>(from + count)};
  }

  Heap heap{};
  Client* client;
};

TEST_F(ClientTest, PartsDoNotOverlap) {
  std::vector<Range> parts{range(client, 1)};
  for (SizeClass c = 1; c < kClassCount; ++c) {
    parts.push_back(range(client->sources[c].floor, kClasses[c].widest_cache + 1));
    parts.push_back(range(client->words(c), kClasses[c].words));
  }
  std::sort(parts.begin(), parts.end());
  for (size_t i = 1; i < parts.size(); ++i) EXPECT_LE(parts[i - 1].second, parts[i].first);
  EXPECT_EQ(parts.front().first, reinterpret_cast<const char*>(client));
  EXPECT_LE(parts.back().second, reinterpret_cast<const char*>(client) + Client::footprint());
  EXPECT_EQ(Client::footprint() % sys::kPageSize, 0u);
}

TEST_F(ClientTest, CachesStartEmpty) {
  EXPECT_EQ(client->index, 3u);
  for (SizeClass c = 1; c < kClassCount; ++c) {
    EXPECT_EQ(client->cached(c), 0u);
    EXPECT_EQ(*client->fast.top[c], nullptr);
    EXPECT_EQ(client->cache_limit(c), kClasses[c].cache_limit);
    EXPECT_EQ(client->sources[c].slot, kNoSlot);
  }
}

TEST_F(ClientTest, CodesThatAreNoClassAreBothEmptyAndFull) {
  for (size_t code : {size_t{0}, size_t{store::kLargeHead}, size_t{store::kLargeBody}}) {
    EXPECT_EQ(*client->fast.top[code], nullptr);
    EXPECT_EQ(client->fast.top[code], client->fast.limit[code]);
  }
}

TEST(BatchHeader, SurvivesPacking) {
  const BatchHeader header{64, 63, 15, 4095};
  const BatchHeader back = BatchHeader::unpack(header.pack());
  EXPECT_EQ(back.size_class, header.size_class);
  EXPECT_EQ(back.window, header.window);
  EXPECT_EQ(back.padding, header.padding);
  EXPECT_EQ(back.count, header.count);
}

}  // namespace
}  // namespace mmt::heap
