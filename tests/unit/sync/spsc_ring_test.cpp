// SpscRing: order, capacity, the end of the position numbers, prefetching, two threads.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sync/spsc_ring.h>

namespace mmt::sync {
namespace {

using Ring = SpscRing<uint32_t, 8>;
static_assert(std::is_standard_layout_v<Ring>);
static_assert(alignof(Ring) == core::kNoSharing);
static_assert(sizeof(Ring) == 3 * core::kNoSharing, "two sides and the entries");

constinit Ring constant_ring;

template <class R>
bool push(R& ring, uint32_t value) {
  if (!ring.reserve(1)) return false;
  ring.entry(0) = value;
  ring.publish(1);
  return true;
}

TEST(SpscRing, AllZeroIsEmpty) {
  alignas(Ring) unsigned char memory[sizeof(Ring)] = {};
  Ring& ring = *reinterpret_cast<Ring*>(memory);
  EXPECT_EQ(ring.readable(), 0U);
  EXPECT_EQ(ring.size_hint(), 0U);
  EXPECT_TRUE(push(ring, 7));
  EXPECT_EQ(ring.readable(), 1U);
  EXPECT_EQ(ring.at(0), 7U);
  EXPECT_EQ(constant_ring.readable(), 0U);
}

TEST(SpscRing, HoldsItsCapacity) {
  Ring ring;
  for (uint32_t i = 0; i < ring.capacity(); ++i) EXPECT_TRUE(push(ring, i));
  EXPECT_FALSE(push(ring, 99));
  EXPECT_FALSE(ring.reserve(1));
  EXPECT_TRUE(ring.reserve(0));
  EXPECT_EQ(ring.readable(), ring.capacity());
  ring.consume(3);
  EXPECT_TRUE(ring.reserve(3));
  EXPECT_FALSE(ring.reserve(4));
}

TEST(SpscRing, ReservingShowsNothing) {
  Ring ring;
  ASSERT_TRUE(ring.reserve(3));
  ring.entry(0) = 1;
  ring.entry(2) = 3;
  EXPECT_EQ(ring.readable(), 0U);
  ring.entry(1) = 2;
  ring.publish(2);
  ASSERT_EQ(ring.readable(), 2U);
  EXPECT_EQ(ring.at(1), 2U);
  EXPECT_EQ(ring.entry(0), 3U) << "what was not published is next";
}

TEST(SpscRing, ReadableNowSeesWhatReadableNeedNot) {
  Ring ring;
  ASSERT_TRUE(push(ring, 1));
  ASSERT_EQ(ring.readable(), 1U);
  ASSERT_TRUE(push(ring, 2));
  ASSERT_EQ(ring.readable(), 1U) << "it does not look while it knows of one";
  EXPECT_EQ(ring.readable_to_others(), 2U);
  ASSERT_EQ(ring.readable(), 1U) << "that was another's look";
  EXPECT_EQ(ring.readable_now(), 2U);
  EXPECT_EQ(ring.at(1), 2U);
}

TEST(SpscRing, WhatIsHeldComesWithTheNext) {
  Ring ring;
  ASSERT_TRUE(ring.reserve(2));
  ring.entry(0) = 1;
  ring.entry(1) = 2;
  ring.hold(2);
  EXPECT_EQ(ring.readable(), 0U);
  ASSERT_TRUE(ring.reserve(ring.capacity() - 2));
  EXPECT_FALSE(ring.reserve(ring.capacity() - 1)) << "what is held takes room";
  ring.entry(0) = 3;
  ring.publish(1);
  ASSERT_EQ(ring.readable(), 3U);
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(ring.at(i), i + 1);
  ring.consume(3);
  ring.hold(0);
  ring.publish_held();
  EXPECT_EQ(ring.readable(), 0U) << "nothing was held";
  ASSERT_TRUE(push(ring, 4));
  ASSERT_EQ(ring.readable(), 1U);
}

TEST(SpscRing, AChildForgetsWhatAnAbsentProducerHeld) {
  Ring ring;
  ASSERT_TRUE(ring.reserve(1));
  ring.entry(0) = 1;
  ring.hold(1);
  ring.forget_held_in_child();
  ASSERT_TRUE(push(ring, 2));
  ASSERT_EQ(ring.readable(), 1U);
  EXPECT_EQ(ring.at(0), 2U);
}

TEST(SpscRing, StreamsWholeLinesAndTheRest) {
  constexpr uint32_t kCount = 256;
  auto ring = std::make_unique<SpscRing<uint32_t, kCount>>();
  std::vector<uint32_t> values(kCount);
  for (uint32_t n = 1; n < kCount - 16; n += 7) {
    for (uint32_t i = 0; i < n; ++i) values[i] = n * 1000 + i;
    const uint32_t padding = ring->to_line(1);
    ASSERT_LT(padding, 16U);
    ASSERT_TRUE(ring->reserve(1 + padding + n));
    ring->entry(0) = padding;
    ring->stream(1 + padding, values.data(), n);
    ring->publish(1 + padding + n);
    ASSERT_EQ(ring->readable(), 1 + padding + n);
    ASSERT_EQ(ring->at(0), padding);
    for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(ring->at(1 + padding + i), values[i]);
    std::vector<uint32_t> read;
    ring->read(1 + padding, n, [&read](const uint32_t* entries, size_t count) {
      read.insert(read.end(), entries, entries + count);
    });
    ASSERT_EQ(read.size(), n);
    ASSERT_TRUE(std::equal(read.begin(), read.end(), values.begin()));
    ring->consume(1 + padding + n);
  }
}

TEST(SpscRing, PositionsRunOverTheEndOfTheNumbers) {
  Ring ring;
  // A ring whose positions are just below 2^32: the first field of each side and the peer's copy.
  const uint32_t near_end = 0xfffffffdU;
  auto* bytes = reinterpret_cast<unsigned char*>(&ring);
  for (const size_t offset :
       {size_t{0}, size_t{4}, size_t{8}, core::kNoSharing, core::kNoSharing + 4}) {
    std::memcpy(bytes + offset, &near_end, sizeof near_end);
  }
  ASSERT_EQ(ring.producer_position(), near_end);
  for (uint32_t i = 0; i < ring.capacity(); ++i) ASSERT_TRUE(push(ring, i));
  EXPECT_FALSE(push(ring, 99));
  EXPECT_EQ(ring.size_hint(), ring.capacity());
  ASSERT_EQ(ring.readable(), ring.capacity());
  for (uint32_t i = 0; i < ring.capacity(); ++i) EXPECT_EQ(ring.at(i), i);
  ring.consume(ring.capacity());
  EXPECT_EQ(ring.readable(), 0U);
  EXPECT_EQ(ring.producer_position(), near_end + ring.capacity());
}

// Notes what is prefetched instead of doing it.
struct NotingSync : RealSync {
  static inline std::vector<uintptr_t> lines;
  static void prefetch_write(const void* address) {
    const uintptr_t line = reinterpret_cast<uintptr_t>(address) / core::kCacheLine;
    if (lines.empty() || lines.back() != line) lines.push_back(line);
  }
};

TEST(SpscRing, PrefetchesTheLinesOfTheNextEntries) {
  using BigRing = SpscRing<uint32_t, 64, NotingSync>;  // four lines
  auto ring = std::make_unique<BigRing>();
  const uintptr_t first = reinterpret_cast<uintptr_t>(&ring->entry(0)) / core::kCacheLine;
  const auto prefetched = [&](uint32_t n) {
    NotingSync::lines.clear();
    ring->prefetch_write(n);
    std::vector<uintptr_t> out;
    for (const uintptr_t line : NotingSync::lines) out.push_back(line - first);
    return out;
  };
  using Lines = std::vector<uintptr_t>;
  EXPECT_EQ(prefetched(0), Lines{});
  EXPECT_EQ(prefetched(16), Lines{0});
  EXPECT_EQ(prefetched(17), (Lines{0, 1}));
  ASSERT_TRUE(ring->reserve(60));
  ring->publish(60);
  EXPECT_EQ(prefetched(4), Lines{3});
  EXPECT_EQ(prefetched(5), (Lines{3, 0})) << "around the end";
  EXPECT_EQ(prefetched(21), (Lines{3, 0, 1}));
}

struct Entry {
  uint64_t a;
  uint64_t b;
};

TEST(SpscRing, TwoThreadsPassBatchesInOrder) {
  constexpr uint64_t kEntries = 200000;
  auto ring = std::make_unique<SpscRing<Entry, 64>>();
  std::thread producer([&] {
    uint32_t batch = 1;
    for (uint64_t sent = 0; sent < kEntries;) {
      if (batch > kEntries - sent) batch = static_cast<uint32_t>(kEntries - sent);
      if (!ring->reserve(batch)) {
        std::this_thread::yield();
        continue;
      }
      for (uint32_t i = 0; i < batch; ++i) ring->entry(i) = {sent + i, ~(sent + i)};
      ring->publish(batch);
      sent += batch;
      batch = batch % 17 + 1;
    }
  });
  uint64_t received = 0;
  while (received < kEntries) {
    const uint32_t count = ring->readable();
    EXPECT_LE(ring->size_hint(), ring->capacity());
    if (count == 0) std::this_thread::yield();
    for (uint32_t i = 0; i < count; ++i, ++received) {
      ASSERT_EQ(ring->at(i).a, received);
      ASSERT_EQ(ring->at(i).b, ~received);
    }
    ring->consume(count);
  }
  producer.join();
  EXPECT_EQ(ring->readable(), 0U);
}

}  // namespace
}  // namespace mmt::sync
