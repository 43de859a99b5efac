// The checker itself: each kind of error is found where it is and only there.
#include <gtest/gtest.h>

#include "litmus/litmus.h"

namespace mmt::model {
namespace {

template <Order kStore, Order kLoad>
struct Handover {
  static constexpr int kThreads = 2;
  ModelAtomic<uint32_t> ready;
  ModelPlain<uint32_t> data;
  void thread(int i) {
    if (i == 0) {
      data = 7;
      ready.store(1, kStore);
    } else if (ready.load(kLoad) == 1) {
      ModelSync::require(data == 7, "data is there");
    }
  }
  void finish() {}
};

TEST(Litmus, RacesAreFound) {
  EXPECT_EQ((explore<Handover<kRel, kAcq>>().verdict), Result::Verdict::kHolds);
  EXPECT_EQ((explore<Handover<kRlx, kAcq>>().verdict), Result::Verdict::kRace);
  EXPECT_EQ((explore<Handover<kRel, kRlx>>().verdict), Result::Verdict::kRace);
}

// A seq_cst fence on both sides orders the loads, but does not make the data safe by itself.
struct FencesAlone {
  static constexpr int kThreads = 2;
  ModelAtomic<uint32_t> x, y;
  ModelPlain<uint32_t> data;
  void thread(int i) {
    if (i == 0) {
      data = 7;
      fence(kSc);
      ModelSync::require(y.load(kRlx) <= 1, "y");
    } else {
      y.store(1, kRlx);
      fence(kSc);
      if (x.load(kRlx) == 0) data = 8;
    }
  }
  void finish() {}
};

TEST(Litmus, FencesAloneDoNotSynchronise) {
  EXPECT_EQ(explore<FencesAlone>().verdict, Result::Verdict::kRace);
}

template <bool kWakes>
struct Sleeper {
  static constexpr int kThreads = 2;
  ModelAtomic<uint32_t> word;
  void thread(int i) {
    if (i == 0) {
      ModelSync::futex_wait(word, 0, sync::kForever);
    } else {
      word.store(1, kRlx);
      if (kWakes) ModelSync::futex_wake(word);
    }
  }
  void finish() {}
};

TEST(Litmus, LostWakeUpsAreFound) {
  EXPECT_EQ(explore<Sleeper<true>>().verdict, Result::Verdict::kHolds);
  EXPECT_EQ(explore<Sleeper<false>>().verdict, Result::Verdict::kStuck);
}

template <bool kStores>
struct Awaiting {
  static constexpr int kThreads = 2;
  ModelAtomic<uint32_t> word;
  void thread(int i) {
    if (i == 0) {
      ModelSync::await([&] { return word.load(kRlx) == 2; });
    } else {
      word.store(1, kRlx);
      if (kStores) word.store(2, kRlx);
    }
  }
  void finish() {}
};

TEST(Litmus, AwaitEndsWhenTheStoreComes) {
  EXPECT_EQ(explore<Awaiting<true>>().verdict, Result::Verdict::kHolds);
  EXPECT_EQ(explore<Awaiting<false>>().verdict, Result::Verdict::kStuck);
}

struct Endless {
  static constexpr int kThreads = 1;
  ModelAtomic<uint32_t> word;
  void thread(int) {
    for (;;) word.load(kRlx);
  }
  void finish() {}
};

TEST(Litmus, EndlessProgramsAreFound) {
  const Result result = explore<Endless>();
  EXPECT_EQ(result.verdict, Result::Verdict::kEndless);
}

}  // namespace
}  // namespace mmt::model
