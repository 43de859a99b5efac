// What is done for clients: surplus comes back, ended threads' clients after a while, and what came
// past the channels in steps.
#include "heap/keeper/client_service.h"

#include <vector>

#include <gtest/gtest.h>

#include <mmt/sys/clock.h>

#include "heap/gates/leave.h"
#include "heap/process/allocation.h"
#include "heap/thread/hand_over.h"
#include "support/fresh_heap.h"
#include "support/held_lock.h"

namespace mmt::heap {
namespace {

constexpr SizeClass kServed = store::class_of_size(100);
constexpr uint32_t kServer = 1;

class ClientServiceTest : public testing::Test {
 protected:
  ClientServiceTest() {
    heap.serve();
    service.open(kServer);
  }
  // Another thread's, that has sent so many blocks.
  Client& send(size_t count) {
    Client& client = heap.add_client();
    const std::vector<char*> span = heap.take_span(kServed);
    const std::vector<void*> blocks(span.begin(), span.begin() + static_cast<ptrdiff_t>(count));
    give_back(client, kServed, blocks.data(), count);
    hand_over_held(client);
    return client;
  }
  size_t in_depot() { return heap.depot.free_blocks(lock, kServed); }

  test::HeldLock lock;
  test::FreshHeap heap;
  ClientService service{heap};
};

TEST_F(ClientServiceTest, SurplusComesBack) {
  send(100);
  EXPECT_EQ(service.wait(), 0);
  EXPECT_EQ(in_depot(), 0u);
  EXPECT_TRUE(service.serve_all());
  EXPECT_EQ(in_depot(), 100u);
  EXPECT_LT(service.wait(), 0);
  EXPECT_FALSE(service.serve_all());
}

TEST_F(ClientServiceTest, WhatAnotherReadsIsLeftToIt) {
  Client& client = send(100);
  ASSERT_TRUE(client.reader.try_lock(kServer + 1));
  EXPECT_FALSE(service.serve_all());
  EXPECT_EQ(service.wait(), 0);
  client.reader.unlock(kServer + 1);
  EXPECT_TRUE(service.serve_all());
  EXPECT_EQ(in_depot(), 100u);
}

TEST_F(ClientServiceTest, ToldToLeaveItTakesNoMore) {
  send(100);
  heap.keeper.thread.ask_to_leave(kServer);
  EXPECT_FALSE(service.serve_all());
  EXPECT_EQ(service.wait(), 0);
}

TEST_F(ClientServiceTest, AnEndedThreadsClientIsKeptForOneThatFollows) {
  Client& client = send(100);
  client.zombie_since.set(sys::monotonic_ns());
  client.lease.leave();
  EXPECT_FALSE(service.serve_all());
  EXPECT_EQ(service.wait(), 0) << "its surplus";
  EXPECT_EQ(client.lease.state(), client.lease.kZombie);
  EXPECT_TRUE(service.serve_all(ClientService::Look::kLast));
  EXPECT_LT(service.wait(), 0);
  EXPECT_EQ(client.lease.state(), client.lease.kFree);
  EXPECT_EQ(in_depot(), 100u);
}

TEST_F(ClientServiceTest, UseIsSeenOnce) {
  EXPECT_FALSE(service.were_used());
  ASSERT_NE(allocate(heap, 100), nullptr);
  EXPECT_TRUE(service.were_used());
  EXPECT_FALSE(service.were_used());
}

TEST_F(ClientServiceTest, WhatCamePastTheChannelsIsCollected) {
  for (char* block : heap.take_span(kServed)) heap.depot.returned().add(block);
  heap.depot.large().return_block(heap.depot.large().carve(size_t{1} << 20, 1), false);
  EXPECT_TRUE(has_resting(heap));
  EXPECT_TRUE(service.collect_returned());
  EXPECT_FALSE(has_resting(heap));
  EXPECT_FALSE(heap.depot.large().has_returned());
  EXPECT_FALSE(service.collect_returned());
  EXPECT_EQ(heap.depot.usage(lock).free_slot_bytes, heap.depot.usage(lock).frontier_bytes);
}

}  // namespace
}  // namespace mmt::heap
