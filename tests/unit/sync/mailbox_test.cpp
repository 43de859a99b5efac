// Mailbox: order, capacity, and buffers handed between two threads.
#include <thread>
#include <type_traits>

#include <gtest/gtest.h>

#include <mmt/sync/mailbox.h>

namespace mmt::sync {
namespace {

static_assert(std::is_standard_layout_v<Mailbox<>>);
static_assert(sizeof(Mailbox<>) == 2 * core::kCacheLine);

TEST(Mailbox, TakesFourAndNoMore) {
  Mailbox<> box;
  for (uint32_t value = 0; value < 4; ++value) EXPECT_TRUE(box.put(value));
  EXPECT_FALSE(box.put(4));
  EXPECT_EQ(box.unread(), 4U);
  uint32_t value = 99;
  for (uint32_t expected = 0; expected < 4; ++expected) {
    ASSERT_TRUE(box.take(&value));
    EXPECT_EQ(value, expected);
  }
  EXPECT_FALSE(box.take(&value));
  EXPECT_EQ(value, 3U) << "an empty box changes nothing";
  EXPECT_EQ(box.unread(), 0U);
}

TEST(Mailbox, AllZeroIsEmpty) {
  alignas(Mailbox<>) unsigned char memory[sizeof(Mailbox<>)] = {};
  auto& box = *reinterpret_cast<Mailbox<>*>(memory);
  uint32_t value;
  EXPECT_FALSE(box.take(&value));
  EXPECT_TRUE(box.put(0));
  EXPECT_TRUE(box.take(&value));
}

// As the server supplies spans: one buffer more than there are places.
TEST(Mailbox, TwoThreadsPassBuffers) {
  constexpr uint32_t kValues = 100000;
  Mailbox<> box;
  uint32_t buffers[Mailbox<>::kCapacity + 1] = {};
  std::thread producer([&] {
    for (uint32_t value = 0; value < kValues; ++value) {
      while (box.unread() == Mailbox<>::kCapacity) std::this_thread::yield();
      buffers[value % 5] = value;
      EXPECT_TRUE(box.put(value));
    }
  });
  for (uint32_t expected = 0; expected < kValues; ++expected) {
    uint32_t value = 0;
    while (!box.take(&value)) std::this_thread::yield();
    ASSERT_EQ(value, expected);
    ASSERT_EQ(buffers[value % 5], value);
  }
  producer.join();
}

}  // namespace
}  // namespace mmt::sync
