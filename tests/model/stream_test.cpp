// A stream fence of the storing thread, and nothing else, orders stores past the caches before its
// later stores in the checker. The trace shows the fence.
#include <string>

#include <gtest/gtest.h>

#include <mmt/sync/spsc_ring.h>

#include "checker/model_sync.h"

namespace mmt::model {
namespace {

using Verdict = Result::Verdict;

constexpr auto kRlx = std::memory_order_relaxed;
constexpr auto kAcq = std::memory_order_acquire;
constexpr auto kRel = std::memory_order_release;
constexpr auto kSc = std::memory_order_seq_cst;

constexpr sync::OrderSite kFence{"test.stream_fence", kRel, "the release store after it"};

// Two threads; the second reads what the first streamed when it finds a flag that says so.
struct Streaming {
  static constexpr int kThreads = 2;
  ModelAtomic<uint32_t> ready;
  ModelPlain<uint32_t> data;

  void stream(uint32_t value) { ModelSync::stream(&data, &value, 1); }
  void read_if_ready() {
    if (ready.load(kAcq) != 0) ModelSync::require(data == 7, "data is there");
  }
  void finish() {}
};

enum class Between { kNothing, kStreamFence, kSeqCstFence, kOrdinaryStore };

template <Between kBetween>
struct Handover : Streaming {
  void thread(int i) {
    if (i == 1) return read_if_ready();
    stream(7);
    if (kBetween == Between::kStreamFence) ModelSync::stream_fence(kFence);
    if (kBetween == Between::kSeqCstFence) Explorer::current()->fence(kSc);
    if (kBetween == Between::kOrdinaryStore) data = 7;
    ready.store(1, kRel);
  }
};

TEST(Streams, AReleaseStoreDoesNotOrderThem) {
  EXPECT_EQ(explore<Handover<Between::kNothing>>().verdict, Verdict::kRace);
  EXPECT_EQ(explore<Handover<Between::kStreamFence>>().verdict, Verdict::kHolds);
}

TEST(Streams, NoOtherFenceIsCounted) {
  EXPECT_EQ(explore<Handover<Between::kSeqCstFence>>().verdict, Verdict::kRace);
}

TEST(Streams, AnOrdinaryStoreToTheSamePlaceTakesTheirPlace) {
  EXPECT_EQ(explore<Handover<Between::kOrdinaryStore>>().verdict, Verdict::kHolds);
}

TEST(Streams, WeakenedTheFenceIsNone) {
  const Weakening weakening{&kFence, kRlx};
  EXPECT_EQ(explore<Handover<Between::kStreamFence>>({}, weakening).verdict, Verdict::kRace);
}

// The fence alone releases nothing.
struct FenceWithoutRelease : Streaming {
  void thread(int i) {
    if (i == 1) return read_if_ready();
    stream(7);
    ModelSync::stream_fence(kFence);
    ready.store(1, kRlx);
  }
};

TEST(Streams, TheFenceIsNoRelease) {
  EXPECT_EQ(explore<FenceWithoutRelease>().verdict, Verdict::kRace);
}

// The first store comes before the fence; kSecond: the reader waits for the one after it.
template <bool kSecond>
struct FenceBetweenStores : Streaming {
  void thread(int i) {
    if (i == 0) {
      stream(7);
      ready.store(1, kRel);
      ModelSync::stream_fence(kFence);
      ready.store(2, kRel);
    } else if (ready.load(kAcq) == (kSecond ? 2 : 1)) {
      ModelSync::require(data == 7, "data is there");
    }
  }
};

TEST(Streams, OnlyStoresAfterTheFenceAreOrdered) {
  EXPECT_EQ(explore<FenceBetweenStores<false>>().verdict, Verdict::kRace);
  EXPECT_EQ(explore<FenceBetweenStores<true>>().verdict, Verdict::kHolds);
}

// A fence covers what was streamed before it, not after it.
struct StreamedAfterTheFence : Streaming {
  void thread(int i) {
    if (i == 1) return read_if_ready();
    stream(6);
    ModelSync::stream_fence(kFence);
    stream(7);
    ready.store(1, kRel);
  }
};

TEST(Streams, LaterOnesNeedAnother) {
  EXPECT_EQ(explore<StreamedAfterTheFence>().verdict, Verdict::kRace);
}

// The storing thread needs no fence for what it streamed itself.
struct OwnStores : Streaming {
  void thread(int i) {
    if (i == 1) return;
    stream(6);
    ModelSync::require(data == 6, "a thread finds its own stores");
    stream(7);
    ModelSync::require(data == 7, "and the last of them");
  }
};

TEST(Streams, AThreadFindsItsOwn) { EXPECT_EQ(explore<OwnStores>().verdict, Verdict::kHolds); }

// A reader passes on what it has learnt.
struct Passed : Streaming {
  static constexpr int kThreads = 3;
  ModelAtomic<uint32_t> passed;
  void thread(int i) {
    if (i == 0) {
      stream(7);
      ModelSync::stream_fence(kFence);
      ready.store(1, kRel);
    } else if (i == 1) {
      passed.store(ready.load(kAcq), kRel);
    } else if (passed.load(kAcq) != 0) {
      ModelSync::require(data == 7, "data is there");
    }
  }
};

TEST(Streams, FencesArePassedOn) { EXPECT_EQ(explore<Passed>().verdict, Verdict::kHolds); }

// A ring's producer leaves streamed entries held to the next producer, whose fence is on another
// core. With kPublishes, the leaving producer hands the entries over itself, as it must.
template <bool kPublishes>
struct NewProducer {
  static constexpr int kThreads = 3;
  sync::SpscRing<uint32_t, 4, ModelSync> ring;
  ModelAtomic<uint32_t> left;

  void thread(int index) {
    if (index == 0) {
      const uint32_t value = 7;
      ModelSync::require(ring.reserve(1), "there is room");
      ring.stream(0, &value, 1);
      ring.hold(1);
      if (kPublishes) ring.publish_held();
      left.store(1, kRel);
    } else if (index == 1) {
      ModelSync::await([&] { return left.load(kAcq) != 0; });
      ring.publish_held();
    } else {
      ModelSync::await([&] { return ring.readable() != 0; });
      ModelSync::require(ring.at(0) == 7, "the entry is there");
    }
  }
  void finish() {}
};

TEST(Streams, ALeavingProducerPublishesWhatItHeld) {
  EXPECT_EQ(explore<NewProducer<true>>().verdict, Verdict::kHolds);
  EXPECT_EQ(explore<NewProducer<false>>().verdict, Verdict::kRace);
}

TEST(Streams, TheTraceShowsTheFence) {
  const Result result = explore<FenceWithoutRelease>();
  EXPECT_NE(result.trace.find("T0 stream fence (test.stream_fence)"), std::string::npos)
      << result.trace;
}

}  // namespace
}  // namespace mmt::model
