// Histories of random transactions are opaque on every design. This holds with tables of 1 to 16
// orecs, with a clock near its end, and with memory refused. It also holds with aborts injected at
// every k-th operation. The histories of transactions that forget to ask the memory are not opaque.
#include <atomic>
#include <mutex>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include <mmt/stm/atomically.h>

#include "unit/stm/designs.h"
#include "unit/stm/history.h"

namespace mmt::stm {
namespace {

constexpr uint32_t kVariables = 12;
constexpr int kThreads = 3;

struct Trial {
  int transactions = 150;
  uint64_t abort_every = 0;   // points within attempts; 0: never
  uint64_t refuse_every = 0;  // allocations
  bool forgets = false;       // one read in eight goes past the transaction
};

std::atomic<uint64_t> g_allocations;
uint64_t g_refuse_every = 0;
void* allocate(size_t bytes) {
  if (g_refuse_every != 0 && g_allocations.fetch_add(1) % g_refuse_every == g_refuse_every - 1) {
    return nullptr;
  }
  return std::malloc(bytes);
}

class Recording {
 public:
  Recording(Options options, const Trial& trial)
      : trial_(trial), memory_(with_supply(options, trial)) {}

  std::vector<Attempt> history() {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back([this, i] { work(i); });
    for (std::thread& thread : threads) thread.join();
    g_refuse_every = 0;
    const Statistics seen = memory_.statistics();
    EXPECT_EQ(seen.attempts, seen.commits + seen.aborted());
    EXPECT_EQ(seen.attempts, history_.size());
    return std::move(history_);
  }
  Statistics statistics() { return memory_.statistics(); }

 private:
  struct Random {
    std::minstd_rand engine;
    uint32_t below(uint32_t n) { return static_cast<uint32_t>(engine() >> 8) % n; }
  };
  // Notes when the body ends, however it does.
  struct AtEnd {
    ~AtEnd() { *ended = moment.fetch_add(2); }
    std::atomic<uint64_t>& moment;
    uint64_t* ended;
  };

  static Options with_supply(Options options, const Trial& trial) {
    g_allocations = 0;
    g_refuse_every = trial.refuse_every;
    options.supply.allocate = allocate;
    return options;
  }

  void work(int number) {
    Thread thread(memory_);
    Random random{std::minstd_rand(static_cast<unsigned>(number) + 1)};
    std::vector<Attempt> mine;
    uint64_t operations = 0;
    uint64_t next_value = static_cast<uint64_t>(number + 1) << 32;
    for (int i = 0; i < trial_.transactions; ++i) {
      const bool read_only = random.below(5) == 0;
      const size_t first = mine.size();
      // An attempt began when the one before it ended, which is before its snapshot.
      uint64_t ended = moment_.fetch_add(2);
      const auto body = [&](Tx& tx) {
        mine.push_back({});
        mine.back().began = ended + 1;
        const AtEnd at_end{moment_, &ended};
        if (mine.size() > first + 1) mine[mine.size() - 2].ended = mine.back().began - 1;
        one(tx, mine.back(), random, read_only, &operations, &next_value);
      };
      bool committed = true;
      try {
        if (read_only)
          atomically_read_only(thread, body);
        else
          atomically(thread, body);
      } catch (const std::bad_alloc&) {
        committed = false;
      }
      mine.back().ended = moment_.fetch_add(2);
      mine.back().committed = committed;
    }
    const std::lock_guard lock(mutex_);
    history_.insert(history_.end(), mine.begin(), mine.end());
  }

  void one(Tx& tx, Attempt& attempt, Random& random, bool read_only, uint64_t* operations,
           uint64_t* next_value) {
    const uint32_t accesses = 1 + random.below(8);
    for (uint32_t i = 0; i < accesses; ++i) {
      abort_in_turn(tx, operations);
      const uint32_t variable = random.below(kVariables);
      const bool forgets = trial_.forgets && random.below(8) == 0;
      const uint64_t value = forgets ? __atomic_load_n(&variables_[variable], __ATOMIC_ACQUIRE)
                                     : tx.read(variables_[variable]);
      const bool own = note_read(attempt, variable, value);
      if (random.below(4) == 0) std::this_thread::yield();
      if (read_only || random.below(2) == 0) continue;
      if (own && random.below(2) == 0) continue;
      tx.write(variables_[variable], ++*next_value);
      note_write(attempt, variable, *next_value);
      abort_in_turn(tx, operations);
      if (trial_.abort_every == 0) continue;
      if (void* const block = tx.allocate(24)) {
        abort_in_turn(tx, operations);
        tx.free(block, 24);
        abort_in_turn(tx, operations);
      }
    }
    if (trial_.abort_every != 0 && !read_only && random.below(8) == 0) tx.become_irrevocable();
    if (!tx.irrevocable()) abort_in_turn(tx, operations);
  }
  void abort_in_turn(Tx& tx, uint64_t* operations) const {
    if (trial_.abort_every != 0 && ++*operations % trial_.abort_every == 0) tx.retry();
  }

  // True: the attempt's own value.
  static bool note_read(Attempt& attempt, uint32_t variable, uint64_t value) {
    for (const Access& write : attempt.writes) {
      if (write.variable == variable && write.value == value) return true;
    }
    for (const Access& read : attempt.reads) {
      if (read.variable == variable && read.value == value) return false;
    }
    attempt.reads.push_back({variable, value});
    return false;
  }
  static void note_write(Attempt& attempt, uint32_t variable, uint64_t value) {
    for (Access& write : attempt.writes) {
      if (write.variable == variable) {
        write.value = value;
        return;
      }
    }
    attempt.writes.push_back({variable, value});
  }

  const Trial trial_;
  Memory memory_;
  uint64_t variables_[kVariables] = {};
  std::atomic<uint64_t> moment_{2};
  std::mutex mutex_;
  std::vector<Attempt> history_;
};

class Opacity : public testing::TestWithParam<Setting> {};

TEST_P(Opacity, Plain) { EXPECT_EQ(violation_of(Recording(GetParam().options, {}).history()), ""); }

TEST_P(Opacity, Managers) {
  for (const Manager manager : {Manager::kDelay, Manager::kBackoff}) {
    Options options = GetParam().options;
    options.manager = manager;
    EXPECT_EQ(violation_of(Recording(options, {}).history()), "");
  }
}

TEST_P(Opacity, ClockNearItsEnd) {
  Options options = GetParam().options;
  options.clock_limit = 24;
  Recording run(options, {});
  EXPECT_EQ(violation_of(run.history()), "");
  EXPECT_GT(run.statistics().roll_overs, 2U);
}

TEST_P(Opacity, AbortsInjected) {
  for (const uint64_t clock_limit : {uint64_t{24}, Options{}.clock_limit}) {
    for (uint64_t every = 7; every < 27; every += 2) {
      Options options = GetParam().options;
      options.clock_limit = clock_limit;
      Trial trial;
      trial.transactions = 40;
      trial.abort_every = every;
      Recording run(options, trial);
      EXPECT_EQ(violation_of(run.history()), "") << every;
      EXPECT_GT(run.statistics().of(Reason::kRetry), 0U);
    }
  }
}

TEST_P(Opacity, MemoryRefused) {
  uint64_t refused = 0;
  for (uint64_t every = 1; every < 5; ++every) {
    Trial trial;
    trial.transactions = 30;
    trial.refuse_every = every;
    Recording run(GetParam().options, trial);
    EXPECT_EQ(violation_of(run.history()), "") << every;
    refused += run.statistics().of(Reason::kNoMemory);
  }
  EXPECT_GT(refused, 0U);
}

TEST_P(Opacity, SerialSoonAndPrivatizationSafe) {
  Options options = GetParam().options;
  options.most_retries = 1;
  options.safe_privatization = true;
  options.attribute_aborts = true;
  EXPECT_EQ(violation_of(Recording(options, {}).history()), "");
}

// The checker does find what the machine shows seldom.
TEST_P(Opacity, APlantedViolationIsFound) {
  Trial trial;
  trial.forgets = true;
  for (int round = 0; round < 50; ++round) {
    if (!violation_of(Recording(GetParam().options, trial).history()).empty()) return;
  }
  FAIL() << "reads past the transaction went unnoticed";
}

INSTANTIATE_TEST_SUITE_P(Designs, Opacity, testing::ValuesIn(settings({0, 2, 4})),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmt::stm
