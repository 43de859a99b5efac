// The checker itself: classic litmus programs have exactly the outcomes that C++20 (without
// load-buffering cycles) gives them, and each kind of error is found where it is and only there.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "checker/model_sync.h"

namespace mmt::model {
namespace {

constexpr auto kRlx = std::memory_order_relaxed;
constexpr auto kAcq = std::memory_order_acquire;
constexpr auto kRel = std::memory_order_release;
constexpr auto kAcqRel = std::memory_order_acq_rel;
constexpr auto kSc = std::memory_order_seq_cst;

using Order = std::memory_order;
using Outcomes = std::set<std::string>;
Outcomes g_outcomes;

void fence(Order order) { Explorer::current()->fence(order); }

// Two or three atomics and up to four registers; finish() notes the registers.
struct Litmus {
  ModelAtomic<uint32_t> x, y, z;
  uint32_t r[4] = {9, 9, 9, 9};

  void finish() {
    std::string text;
    for (uint32_t value : r) {
      if (value != 9) text += static_cast<char>('0' + value);
    }
    g_outcomes.insert(text);
  }
};

template <class Scenario>
Outcomes outcomes(uint64_t executions = 0) {
  g_outcomes.clear();
  const Result result = explore<Scenario>();
  EXPECT_EQ(result.verdict, Result::Verdict::kHolds) << result.message << "\n" << result.trace;
  if (executions != 0) {
    EXPECT_EQ(result.executions, executions) << "not one for each graph";
  }
  return g_outcomes;
}

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

// --- Errors ---

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
