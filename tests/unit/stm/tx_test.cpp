// The interface, on every design: what a body reads and writes, how it ends, what is counted.
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/stm/atomically.h>
#include <mmt/stm/plain_tx.h>
#include <mmt/stm/tx_var.h>

#include "unit/stm/designs.h"

namespace mmt::stm {
namespace {

class Transactions : public testing::TestWithParam<Setting> {
 protected:
  Memory memory_{GetParam().options};
  Thread thread_{memory_};
};

TEST_P(Transactions, ReadsWhatItWrote) {
  int a = 1, b = 2;
  const int sum = atomically(thread_, [&](Tx& tx) {
    tx.write(a, 10);
    tx.write(b, tx.read(a) + 1);
    tx.write(a, tx.read(a) + tx.read(b));
    return tx.read(a);
  });
  EXPECT_EQ(sum, 21);
  EXPECT_EQ(a, 21);
  EXPECT_EQ(b, 11);
}

template <class T>
void expect_kept(Thread& thread, T first, T second) {
  struct Around {
    unsigned char before;
    T value;
    unsigned char after;
  } x{0x5a, first, 0xa5};
  EXPECT_EQ(std::memcmp(&x.value, &first, sizeof(T)), 0);
  atomically(thread, [&](Tx& tx) {
    EXPECT_EQ(tx.read(x.value), first);
    tx.write(x.value, second);
    EXPECT_EQ(tx.read(x.value), second);
  });
  EXPECT_EQ(x.value, second);
  EXPECT_EQ(x.before, 0x5a);
  EXPECT_EQ(x.after, 0xa5);
}

TEST_P(Transactions, EveryWidth) {
  expect_kept<bool>(thread_, false, true);
  expect_kept<signed char>(thread_, -1, 1);
  expect_kept<uint16_t>(thread_, 0xfffe, 0x1234);
  expect_kept<int>(thread_, -7, 7);
  expect_kept<float>(thread_, 1.5F, -2.25F);
  expect_kept<double>(thread_, 1e300, -1e-300);
  expect_kept<int64_t>(thread_, std::numeric_limits<int64_t>::min(), -1);
  expect_kept<const char*>(thread_, "a", "b");
}

// Bytes written one by one are read as one word, and the other way round.
TEST_P(Transactions, PartsOfAWord) {
  alignas(8) unsigned char bytes[16];
  for (unsigned i = 0; i < 16; ++i) bytes[i] = static_cast<unsigned char>(i);
  auto& word = *reinterpret_cast<uint64_t*>(bytes + 8);
  auto& half = *reinterpret_cast<uint32_t*>(bytes + 12);
  atomically(thread_, [&](Tx& tx) {
    tx.write(bytes[9], 0x99);
    tx.write(half, 0x44332211U);
    EXPECT_EQ(tx.read(word), 0x443322110b0a9908U);
    EXPECT_EQ(tx.read(bytes[15]), 0x44);
    tx.write(bytes[15], 0x55);
    EXPECT_EQ(tx.read(half), 0x55332211U);
  });
  EXPECT_EQ(word, 0x553322110b0a9908U);
  EXPECT_EQ(bytes[7], 7);
}

// A value without alignment.
struct Anywhere {
  char bytes[8];
  bool operator==(const Anywhere&) const = default;
};

TEST_P(Transactions, AcrossTwoWords) {
  alignas(8) char bytes[24] = {};
  for (size_t offset = 0; offset < 9; ++offset) {
    auto& value = *reinterpret_cast<Anywhere*>(bytes + offset);
    const Anywhere text{{'a', 'b', 'c', 'd', 'e', 'f', 'g', static_cast<char>('0' + offset)}};
    atomically(thread_, [&](Tx& tx) {
      tx.write(value, text);
      EXPECT_EQ(tx.read(value), text);
    });
    EXPECT_EQ(std::memcmp(bytes + offset, &text, 8), 0);
  }
}

struct Sentinel {
  ~Sentinel() { ++*ended; }
  int* ended;
};

TEST_P(Transactions, AnExceptionUndoesAndGoesOn) {
  int a = 1, ended = 0;
  EXPECT_THROW(atomically(thread_,
                          [&](Tx& tx) {
                            const Sentinel sentinel{&ended};
                            tx.write(a, 2);
                            throw std::runtime_error("no");
                          }),
               std::runtime_error);
  EXPECT_EQ(a, 1);
  EXPECT_EQ(ended, 1);
  atomically(thread_, [&](Tx& tx) { tx.write(a, 3); });
  EXPECT_EQ(a, 3);
  EXPECT_EQ(memory_.statistics().of(Reason::kException), 1U);
}

TEST_P(Transactions, RetryRunsDestructors) {
  int a = 1, ended = 0, attempts = 0;
  atomically(thread_, [&](Tx& tx) {
    const Sentinel sentinel{&ended};
    EXPECT_EQ(tx.read(a), 1);
    tx.write(a, 2);
    if (++attempts < 4) tx.retry();
  });
  EXPECT_EQ(a, 2);
  EXPECT_EQ(ended, 4);
  EXPECT_EQ(memory_.statistics().of(Reason::kRetry), 3U);
}

// A body that swallows the abort does no harm.
TEST_P(Transactions, ASwallowedAbort) {
  int a = 1, attempts = 0;
  atomically(thread_, [&](Tx& tx) {
    try {
      tx.write(a, 5);
      if (++attempts == 1) tx.retry();
    } catch (...) {
      tx.write(a, 6);
      EXPECT_THROW(static_cast<void>(tx.read(a)), Aborted);
    }
  });
  EXPECT_EQ(attempts, 2);
  EXPECT_EQ(a, 5);
}

TEST_P(Transactions, WithinAnother) {
  int a = 1, b = 1;
  EXPECT_THROW(atomically(thread_,
                          [&](Tx& tx) {
                            tx.write(a, 2);
                            atomically(thread_, [&](Tx& inner) { inner.write(b, inner.read(a)); });
                            EXPECT_EQ(tx.read(b), 2);
                            throw std::runtime_error("no");
                          }),
               std::runtime_error);
  EXPECT_EQ(a + b, 2);
}

TEST_P(Transactions, ReadOnlyIsVerified) {
  int a = 1, attempts = 0;
  EXPECT_EQ(atomically_read_only(thread_, [&](Tx& tx) { return tx.read(a); }), 1);
  atomically_read_only(thread_, [&](Tx& tx) {
    ++attempts;
    tx.write(a, tx.read(a) + 1);
  });
  EXPECT_EQ(a, 2);
  EXPECT_EQ(attempts, 2);
  const Statistics seen = memory_.statistics();
  EXPECT_EQ(seen.of(Reason::kWroteReadOnly), 1U);
  EXPECT_EQ(seen.read_only, 1U);
}

TEST_P(Transactions, Irrevocable) {
  int a = 1, attempts = 0;
  atomically(thread_, [&](Tx& tx) {
    ++attempts;
    tx.write(a, 2);
    tx.become_irrevocable();
    EXPECT_TRUE(tx.irrevocable());
    EXPECT_THROW(tx.retry(), std::logic_error);
    tx.write(a, tx.read(a) + 1);
  });
  EXPECT_EQ(a, 3);
  EXPECT_EQ(attempts, 1);
  EXPECT_EQ(memory_.statistics().serial, 1U);
  atomically(thread_, [&](Tx& tx) { EXPECT_FALSE(tx.irrevocable()); });
}

// Each of several threads becomes irrevocable; what each does outside of memory happens once.
TEST_P(Transactions, IrrevocableAmongOthers) {
  long total = 0, done_once = 0;
  const auto work = [&] {
    Thread thread(memory_);
    for (int i = 0; i < 200; ++i) {
      atomically(thread, [&](Tx& tx) {
        tx.write(total, tx.read(total) + 1);
        if (i % 8 != 0) return;
        tx.become_irrevocable();
        ++done_once;  // no transaction, and no other thread
      });
    }
  };
  std::thread first(work), second(work), third(work);
  first.join();
  second.join();
  third.join();
  EXPECT_EQ(total, 600);
  EXPECT_EQ(done_once, 75);
  const Statistics seen = memory_.statistics();
  EXPECT_EQ(seen.attempts, seen.commits + seen.aborted());
}

TEST_P(Transactions, SerialAfterSoManyRetries) {
  Options options = GetParam().options;
  options.most_retries = 0;
  Memory memory(options);
  Thread thread(memory);
  int a = 0;
  for (int i = 0; i < 5; ++i) atomically(thread, [&](Tx& tx) { tx.write(a, tx.read(a) + 1); });
  EXPECT_EQ(a, 5);
  EXPECT_EQ(memory.statistics().serial, 5U);
}

// A deferred clock is behind the versions of what was just written, and a read-only attempt cannot
// extend its snapshot. An attempt that runs alone has to begin late enough.
TEST_P(Transactions, SerialOnesAreNotRepeated) {
  Options options = GetParam().options;
  options.most_retries = 0;
  Memory memory(options);
  Thread thread(memory);
  int a = 0;
  for (int i = 0; i < 5; ++i) {
    atomically(thread, [&](Tx& tx) { tx.write(a, tx.read(a) + 1); });
    const int seen = atomically_read_only(thread, [&](Tx& tx) { return tx.read(a); });
    EXPECT_EQ(seen, i + 1);
  }
  EXPECT_EQ(memory.statistics().attempts, 10U);
}

TEST_P(Transactions, AttributionAddsUp) {
  Options options = GetParam().options;
  options.attribute_aborts = true;
  Memory memory(options);
  alignas(64) long words[8] = {};
  const auto work = [&](int self) {
    Thread thread(memory);
    for (int i = 0; i < 300; ++i) {
      atomically(thread, [&](Tx& tx) {
        long& mine = words[self * 2];
        tx.write(mine, tx.read(mine) + 1);
        std::this_thread::yield();
        tx.write(words[7], tx.read(words[7]) + 1);
      });
    }
  };
  std::thread first(work, 0), second(work, 1);
  first.join();
  second.join();
  EXPECT_EQ(words[7], 600);
  const Statistics seen = memory.statistics();
  uint64_t causes = 0;
  for (const uint64_t n : seen.causes) causes += n;
  EXPECT_EQ(causes, seen.aborted());
  EXPECT_EQ(seen.of(Cause::kUnknown), 0U);
}

INSTANTIATE_TEST_SUITE_P(Designs, Transactions, testing::ValuesIn(settings({0, 10})),
                         [](const auto& info) { return info.param.name; });

TEST(Options, OutOfRange) {
  const auto refused = [](auto change) {
    Options options;
    change(options);
    EXPECT_THROW(Memory{options}, std::invalid_argument);
  };
  refused([](Options& o) { o.log2_orecs = 25; });
  refused([](Options& o) { o.shift = 2; });
  refused([](Options& o) { o.shift = 9; });
  refused([](Options& o) { o.clock_limit = 1; });
  refused([](Options& o) { o.design = static_cast<Design>(4); });
  refused([](Options& o) { o.supply.allocate = nullptr; });
}

TEST(Options, HashesStayInTheTableAndDiffer) {
  for (int hash = 0; hash < 4; ++hash) {
    for (const unsigned log2 : {0U, 1U, 4U, 10U, 15U, 16U, 20U}) {
      Options options;
      options.hash = static_cast<Hash>(hash);
      options.log2_orecs = log2;
      options.shift = 4;
      Memory memory(options);
      std::vector<bool> used(size_t{1} << log2);
      for (uintptr_t stripe = 0; stripe < used.size(); ++stripe) {
        const size_t index = memory.orec_of(reinterpret_cast<void*>(stripe << 4));
        ASSERT_LT(index, used.size());
        ASSERT_EQ(memory.orec_of(reinterpret_cast<void*>((stripe << 4) + 15)), index);
        used[index] = true;
      }
      // Neighbouring stripes, as many as there are orecs, have one each; but for the multiplied.
      if (options.hash != Hash::kMultiply) {
        EXPECT_EQ(std::count(used.begin(), used.end(), false), 0) << hash << " " << log2;
      }
    }
  }
}

// The paper's: 2^20 orecs of 32 bytes span 32 MiB, so that arenas of 64 MiB lie one on another.
TEST(Options, ArenasOfSixtyFourMebibytesAlias) {
  Memory memory;
  const uintptr_t arena = uintptr_t{1} << 26;
  EXPECT_EQ(memory.orec_of(reinterpret_cast<void*>(arena + 48)),
            memory.orec_of(reinterpret_cast<void*>(3 * arena + 32)));
  EXPECT_NE(memory.orec_of(reinterpret_cast<void*>(arena + 64)),
            memory.orec_of(reinterpret_cast<void*>(3 * arena + 32)));
}

TEST(Threads, AsManyAsThereIsRoomFor) {
  Memory memory;
  std::vector<std::unique_ptr<Thread>> threads;
  for (uint32_t i = 0; i < RealWorld::kMostThreads; ++i) {
    threads.push_back(std::make_unique<Thread>(memory));
  }
  EXPECT_THROW(Thread{memory}, std::length_error);
  threads.pop_back();
  const Thread again(memory);
}

TEST(Variables, PlainAndTransactional) {
  tx_var<int> x(3);
  PlainTx plain;
  x.set(plain, x.get(plain) + 1);
  Memory memory;
  Thread thread(memory);
  EXPECT_EQ(atomically(thread, [&](Tx& tx) { return x.get(tx); }), 4);
  EXPECT_EQ(x.unsafe_get(), 4);
}

// One source for both, as the peers and STAMP have it.
struct WaitsFor {
  const tx_var<int>& x;
  int operator()(auto& tx) const {
    if (x.get(tx) == 0) tx.retry();
    return x.get(tx);
  }
};

TEST(Variables, ARetryWithoutTransactionsCannotBe) {
  tx_var<int> x(0);
  PlainTx plain;
  try {
    WaitsFor{x}(plain);
    ADD_FAILURE();
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "mmt::stm: retry without transactions");
  }
  x.set(plain, 3);
  EXPECT_EQ(WaitsFor{x}(plain), 3);
  Memory memory;
  Thread thread(memory);
  EXPECT_EQ(atomically(thread, WaitsFor{x}), 3);
}

}  // namespace
}  // namespace mmt::stm
