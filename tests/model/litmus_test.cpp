// The checker itself: classic litmus programs have exactly the outcomes that C++20 (without
// load-buffering cycles) gives them.
#include "litmus/litmus.h"

#include <gtest/gtest.h>

namespace mmt::model {
namespace {

template <bool kFences>
struct StoreBuffering : Litmus {
  static constexpr int kThreads = 2;
  void thread(int i) {
    (i == 0 ? x : y).store(1, kRel);
    if (kFences) fence(kSc);
    r[i] = (i == 0 ? y : x).load(kAcq);
  }
};

TEST(Litmus, StoreBuffering) {
  EXPECT_EQ(outcomes<StoreBuffering<false>>(4), (Outcomes{"00", "01", "10", "11"}));
  EXPECT_EQ(outcomes<StoreBuffering<true>>(), (Outcomes{"01", "10", "11"}));
}

// Only one side has the fence: no better than none.
struct HalfFenced : Litmus {
  static constexpr int kThreads = 2;
  void thread(int i) {
    (i == 0 ? x : y).store(1, kRlx);
    fence(i == 0 ? kSc : kAcqRel);
    r[i] = (i == 0 ? y : x).load(kRlx);
  }
};

TEST(Litmus, OneFenceIsNoDekker) {
  EXPECT_EQ(outcomes<HalfFenced>(4), (Outcomes{"00", "01", "10", "11"}));
}

// One side fences all threads, the other nothing.
template <Order kBarrier>
struct Asymmetric : Litmus {
  static constexpr int kThreads = 2;
  void thread(int i) {
    (i == 0 ? x : y).store(1, kRlx);
    if (i == 0) Explorer::current()->fence_all_threads(kBarrier, "barrier");
    r[i] = (i == 0 ? y : x).load(kRlx);
  }
};

TEST(Litmus, BarrierOnAllThreadsIsHalfOfADekker) {
  EXPECT_EQ(outcomes<Asymmetric<kSc>>(), (Outcomes{"01", "10", "11"}));
  EXPECT_EQ(outcomes<Asymmetric<kAcqRel>>(), (Outcomes{"00", "01", "10", "11"}));
}

// A reader that finds the second store and then fences the writer finds the first.
template <bool kBarrier>
struct FencedFromAfar : Litmus {
  static constexpr int kThreads = 2;
  void thread(int i) {
    if (i == 0) {
      x.store(1, kRlx);
      y.store(1, kRlx);
      return;
    }
    r[0] = y.load(kRlx);
    if (kBarrier) Explorer::current()->fence_all_threads(kSc, "barrier");
    r[1] = x.load(kRlx);
  }
};

TEST(Litmus, BarrierOrdersTheOtherThreadsStores) {
  EXPECT_EQ(outcomes<FencedFromAfar<true>>(), (Outcomes{"00", "01", "11"}));
  EXPECT_EQ(outcomes<FencedFromAfar<false>>(), (Outcomes{"00", "01", "10", "11"}));
}

// Two threads without fences are not ordered with each other by a third one's barrier.
struct BarrierOfAThird : Litmus {
  static constexpr int kThreads = 3;
  void thread(int i) {
    if (i == 2) return Explorer::current()->fence_all_threads(kSc, "barrier");
    (i == 0 ? x : y).store(1, kRlx);
    r[i] = (i == 0 ? y : x).load(kRlx);
  }
};

TEST(Litmus, BarrierBetweenOthersIsNoPromise) {
  EXPECT_EQ(outcomes<BarrierOfAThird>(), (Outcomes{"00", "01", "10", "11"}));
}

template <Order kStore, Order kLoad, Order kStoreFence = kRlx, Order kLoadFence = kRlx>
struct MessagePassing : Litmus {
  static constexpr int kThreads = 2;
  void thread(int i) {
    if (i == 0) {
      x.store(1, kRlx);
      fence(kStoreFence);
      y.store(1, kStore);
    } else {
      r[0] = y.load(kLoad);
      fence(kLoadFence);
      r[1] = x.load(kRlx);
    }
  }
};

TEST(Litmus, MessagePassing) {
  const Outcomes all{"00", "01", "10", "11"};
  const Outcomes ordered{"00", "01", "11"};
  EXPECT_EQ((outcomes<MessagePassing<kRlx, kRlx>>(4)), all);
  EXPECT_EQ((outcomes<MessagePassing<kRel, kRlx>>(4)), all);
  EXPECT_EQ((outcomes<MessagePassing<kRlx, kAcq>>(4)), all);
  EXPECT_EQ((outcomes<MessagePassing<kRel, kAcq>>(3)), ordered);
  EXPECT_EQ((outcomes<MessagePassing<kRlx, kAcq, kRel>>(3)), ordered);
  EXPECT_EQ((outcomes<MessagePassing<kRel, kRlx, kRlx, kAcq>>(3)), ordered);
  EXPECT_EQ((outcomes<MessagePassing<kRlx, kRlx, kRel, kAcq>>(3)), ordered);
  EXPECT_EQ((outcomes<MessagePassing<kRlx, kRlx, kAcq, kRel>>(4)), all);
}

// Both stores may lose: modification order need not follow the order of execution.
template <bool kFences>
struct TwoPlusTwoWrites : Litmus {
  static constexpr int kThreads = 2;
  void thread(int i) {
    (i == 0 ? x : y).store(1, kRel);
    if (kFences) fence(kSc);
    (i == 0 ? y : x).store(2, kRel);
  }
  void finish() {
    r[0] = x.load(kRlx);
    r[1] = y.load(kRlx);
    Litmus::finish();
  }
};

TEST(Litmus, TwoPlusTwoWrites) {
  EXPECT_EQ(outcomes<TwoPlusTwoWrites<false>>(4), (Outcomes{"11", "12", "21", "22"}));
  EXPECT_EQ(outcomes<TwoPlusTwoWrites<true>>(), (Outcomes{"12", "21", "22"}));
}

template <bool kFences>
struct IndependentReads : Litmus {
  static constexpr int kThreads = 4;
  void thread(int i) {
    if (i < 2) {
      (i == 0 ? x : y).store(1, kRel);
      return;
    }
    r[2 * (i - 2)] = (i == 2 ? x : y).load(kAcq);
    if (kFences) fence(kSc);
    r[2 * (i - 2) + 1] = (i == 2 ? y : x).load(kAcq);
  }
};

TEST(Litmus, IndependentReadsOfIndependentWrites) {
  EXPECT_TRUE(outcomes<IndependentReads<false>>(16).contains("1010"));
  const Outcomes fenced = outcomes<IndependentReads<true>>();
  EXPECT_FALSE(fenced.contains("1010"));
  EXPECT_EQ(fenced.size(), 15U);
}

struct Coherence : Litmus {
  static constexpr int kThreads = 3;
  void thread(int i) {
    if (i < 2) {
      x.store(static_cast<uint32_t>(i) + 1, kRlx);
    } else {
      r[0] = x.load(kRlx);
      r[1] = x.load(kRlx);
      r[2] = x.load(kRlx);
    }
  }
};

TEST(Litmus, OneLocationIsCoherent) {
  const Outcomes seen = outcomes<Coherence>();
  for (const std::string& text : seen) {
    EXPECT_NE(text.substr(0, 3), "121");
    EXPECT_NE(text.substr(0, 3), "212");
  }
  EXPECT_TRUE(seen.contains("012"));
  EXPECT_TRUE(seen.contains("021"));
  EXPECT_EQ(seen.size(), 13U);  // all that grow in one of the two orders of the stores
}

struct LoadBuffering : Litmus {
  static constexpr int kThreads = 2;
  void thread(int i) {
    r[i] = (i == 0 ? x : y).load(kRlx);
    (i == 0 ? y : x).store(1, kRlx);
  }
};

TEST(Litmus, LoadBufferingIsOutOfScope) {
  EXPECT_EQ(outcomes<LoadBuffering>(3), (Outcomes{"00", "01", "10"}));
}

// The release sequence goes through another thread's relaxed RMW, but not through a plain store.
template <bool kModify>
struct ReleaseSequence : Litmus {
  static constexpr int kThreads = 3;
  void thread(int i) {
    if (i == 0) {
      x.store(1, kRlx);
      y.store(1, kRel);
    } else if (i == 1) {
      if (kModify) {
        uint32_t one = 1;
        y.compare_exchange_strong(one, 2, kRlx, kRlx);
      } else if (y.load(kRlx) == 1) {
        y.store(2, kRlx);
      }
    } else {
      r[0] = y.load(kAcq);
      r[1] = x.load(kRlx);
    }
  }
};

TEST(Litmus, ReleaseSequences) {
  EXPECT_FALSE(outcomes<ReleaseSequence<true>>().contains("20"));
  EXPECT_TRUE(outcomes<ReleaseSequence<false>>().contains("20"));
}

struct Increments : Litmus {
  static constexpr int kThreads = 3;
  void thread(int i) { r[i] = x.fetch_add(1, kRlx); }
};

TEST(Litmus, ReadModifyWritesAreAtomic) {
  EXPECT_EQ(outcomes<Increments>(6), (Outcomes{"012", "021", "102", "120", "201", "210"}));
}

struct WriteToReadCausality : Litmus {
  static constexpr int kThreads = 3;
  void thread(int i) {
    if (i == 0) {
      x.store(1, kRel);
    } else if (i == 1) {
      r[0] = x.load(kAcq);
      y.store(1, kRel);
    } else {
      r[1] = y.load(kAcq);
      r[2] = x.load(kRlx);
    }
  }
};

TEST(Litmus, CausalityIsTransitive) {
  const Outcomes seen = outcomes<WriteToReadCausality>(7);
  EXPECT_FALSE(seen.contains("110"));
  EXPECT_EQ(seen.size(), 7U);
}

struct Choosing : Litmus {
  static constexpr int kThreads = 2;
  void thread(int i) {
    r[i] = static_cast<uint32_t>(ModelSync::choose(2));
    if (i == 1) ModelSync::join(0);
  }
};

TEST(Litmus, ChoicesAreAllTaken) {
  EXPECT_EQ(outcomes<Choosing>(4), (Outcomes{"00", "01", "10", "11"}));
}

// After become_child the others do nothing more, and what they had stored is seen.
struct Forking : Litmus {
  static constexpr int kThreads = 2;
  static constexpr bool kForks = true;
  void thread(int i) {
    if (i == 0) {
      x.store(1, kRlx);
      y.store(1, kRlx);
    } else {
      ModelSync::become_child();
      r[0] = x.load(kRlx);
      r[1] = y.load(kRlx);
    }
  }
};

TEST(Litmus, ForkStopsTheOthersAnywhere) {
  EXPECT_EQ(outcomes<Forking>(3), (Outcomes{"00", "10", "11"}));
}

}  // namespace
}  // namespace mmt::model
