// When clients become thrifty, and when they are generous again.
#include "heap/thread/thrift.h"

#include <vector>

#include <gtest/gtest.h>

#include "heap/thread/holders.h"
#include "heap/thread/refill.h"
#include "support/fresh_heap.h"
#include "support/units.h"

namespace mmt::heap {
namespace {

using test::kSecond;

constexpr SizeClass kLent = store::class_of_size(64);
constexpr uint32_t kFew = 16;

class ThriftTest : public ::testing::Test {
 protected:
  ThriftTest() {
    heap.cpus = 2;
    for (uint32_t i = 0; i < kFew + 1; ++i) clients.push_back(&heap.add_client());
  }
  void let_many_hold() {
    for (Client* client : clients) ASSERT_NE(refill(*client, kLent), nullptr);
    ASSERT_TRUE(heap.thrifty);
  }
  void let_few_hold() {
    for (uint32_t i = 0; i < kFew / 2 + 1; ++i) no_longer_holds(*clients[i]);
  }

  test::FreshHeap heap;
  std::vector<Client*> clients;
};

// Hundreds may wait for their first block together: each counts as it comes.
TEST_F(ThriftTest, TheFirstBeyondAFewTakesNoSpan) {
  let_many_hold();
  EXPECT_NE(clients[kFew - 1]->sources[kLent].word_count, 0u);
  EXPECT_FALSE(clients[kFew - 1]->thrifty);
  EXPECT_EQ(clients[kFew]->sources[kLent].word_count, 0u);
  EXPECT_TRUE(clients[kFew]->thrifty);
}

// Many threads of which few hold something at a moment come and go.
TEST_F(ThriftTest, LastsWhereFewHoldSomethingForAMoment) {
  let_many_hold();
  let_few_hold();
  EXPECT_EQ(heap.holders, kFew / 2);
  EXPECT_TRUE(heap.thrifty);
}

TEST_F(ThriftTest, EndsWhenFewHaveHeldSomethingForASecond) {
  let_many_hold();
  const uint64_t many = heap.many_held_ns;
  end_thrift(heap, many + 2 * kSecond);
  EXPECT_TRUE(heap.thrifty) << "many still hold something";
  let_few_hold();
  end_thrift(heap, many + kSecond - 1);
  EXPECT_TRUE(heap.thrifty);
  end_thrift(heap, many + kSecond);
  EXPECT_FALSE(heap.thrifty);
}

}  // namespace
}  // namespace mmt::heap
