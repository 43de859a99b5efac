// synthetic: small transactions on one structure. Threads ask a set for values, insert one, and at
// their next update remove the last that they inserted. In a bank, threads move money. threadtest
// has no transactions: pairs of malloc and free. The program prints one JSON object. Its status is
// 1 when the set is broken, or the money does not add up.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "common/clock.h"
#include "common/flags.h"
#include "common/rng.h"
#include "stm/common/bench_report.h"
#include "stm/common/command_line.h"
#include "stm/common/regions.h"
#include "stm/common/world.h"
#include "stm/synthetic/interleaved.h"
#include "stm/synthetic/structures.h"

namespace {

using namespace mmt::workloads::stm;
using mmt::workloads::Rng;
using mmt::workloads::Stopwatch;

struct Asked {
  uint64_t operations;    // of each thread
  uint64_t milliseconds;  // 0: as many operations as that, else as many as fit
  uint64_t elements;
  uint64_t range;
  uint64_t updates;  // percent
  uint64_t bytes;
  uint64_t seed;
};

struct Outcome {
  bool right;
  double seconds;
  uint64_t operations;  // of all threads
};

// Runs operation(own, number) in all threads until the operations or the time are over. `own`: the
// thread's random numbers.
template <class World, class Work>
Outcome run_threads(World& world, const Asked& asked, Work&& work) {
  std::vector<uint64_t> done(world.threads());
  std::atomic<bool> over{false};
  Stopwatch clock;
  std::thread alarm;
  if (asked.milliseconds != 0) {
    alarm = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(asked.milliseconds));
      over.store(true, std::memory_order_relaxed);
    });
  }
  world.parallel([&](auto& worker, unsigned number) {
    Rng own(asked.seed + number + 1);
    uint64_t count = 0;
    work(worker, number, own, [&] {
      return count < asked.operations && !over.load(std::memory_order_relaxed) && ++count != 0;
    });
    done[number] = count;
  });
  Outcome outcome{true, clock.lap(), 0};
  if (alarm.joinable()) alarm.join();
  for (const uint64_t one : done) outcome.operations += one;
  return outcome;
}

template <class Set, class World>
Outcome run_set(World& world, const Asked& asked) {
  Set set;
  Plain plain;
  Rng random(asked.seed);
  for (uint64_t count = 0; count < asked.elements;) {
    count += set.insert(plain, random.below(asked.range)) ? 1 : 0;
  }
  // How many each thread inserted and has not removed; what it removes must be there.
  std::vector<int64_t> more(world.threads());
  std::vector<char> right(world.threads(), 1);
  Outcome outcome =
      run_threads(world, asked, [&](auto& worker, unsigned number, Rng& own, auto go_on) {
        bool inserted = false;
        uint64_t last = 0;
        while (go_on()) {
          const bool update = own.below(100) < asked.updates;
          const uint64_t value = own.below(asked.range);
          if (!update) {
            worker.run([&](auto& tx) { return set.contains(tx, value); });
          } else if (!inserted) {
            inserted = worker.run([&](auto& tx) { return set.insert(tx, value); });
            last = value;
          } else {
            if (!worker.run([&](auto& tx) { return set.remove(tx, last); })) right[number] = 0;
            inserted = false;
          }
        }
        more[number] = inserted ? 1 : 0;
      });
  int64_t expected = static_cast<int64_t>(asked.elements);
  for (unsigned number = 0; number < world.threads(); ++number) {
    expected += more[number];
    outcome.right = outcome.right && right[number] != 0;
  }
  outcome.right = outcome.right && set.check() == expected;
  return outcome;
}

template <class World>
Outcome run_bank(World& world, const Asked& asked) {
  std::vector<int64_t> accounts(asked.elements);
  std::vector<char> right(world.threads(), 1);
  Outcome outcome =
      run_threads(world, asked, [&](auto& worker, unsigned number, Rng& own, auto go_on) {
        while (go_on()) {
          if (own.below(100) < asked.updates) {
            int64_t& from = accounts[own.below(accounts.size())];
            int64_t& to = accounts[own.below(accounts.size())];
            worker.run([&](auto& tx) {
              tx.write(from, tx.read(from) - 1);
              tx.write(to, tx.read(to) + 1);
            });
            continue;
          }
          const int64_t total = worker.run([&](auto& tx) {
            int64_t sum = 0;
            for (const int64_t& one : accounts) sum += tx.read(one);
            return sum;
          });
          if (total != 0) right[number] = 0;
        }
      });
  int64_t total = 0;
  for (int64_t one : accounts) total += one;
  outcome.right = total == 0;
  for (char one : right) outcome.right = outcome.right && one != 0;
  return outcome;
}

template <class World>
Outcome run_threadtest(World& world, const Asked& asked) {
  std::vector<char> right(world.threads(), 1);
  Outcome outcome = run_threads(world, asked, [&](auto&, unsigned number, Rng&, auto go_on) {
    while (go_on()) {
      auto* const block = static_cast<volatile unsigned char*>(plain_allocate(asked.bytes));
      block[0] = static_cast<unsigned char>(number);
      block[asked.bytes - 1] = static_cast<unsigned char>(number);
      if (block[0] != static_cast<unsigned char>(number)) right[number] = 0;
      plain_free(const_cast<unsigned char*>(block));
    }
  });
  for (char one : right) outcome.right = outcome.right && one != 0;
  return outcome;
}

template <class World>
Outcome run(std::string_view structure, World& world, const Asked& asked) {
  if (structure == "list") return run_set<ListSet>(world, asked);
  if (structure == "hash") return run_set<HashSet>(world, asked);
  if (structure == "tree") return run_set<TreeSet>(world, asked);
  if (structure == "bank") return run_bank(world, asked);
  return run_threadtest(world, asked);
}

[[noreturn]] void refuse(const char* what) {
  std::fprintf(stderr, "synthetic: %s\n", what);
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  mmt::workloads::Flags flags("synthetic", argc, argv);
  const std::string_view name =
      flags.text("structure", "list", {"list", "hash", "tree", "bank", "threadtest"});
  const uint64_t threads = flags.number("threads", 1);
  Asked asked{};
  asked.milliseconds = flags.number("milliseconds", 0);
  asked.operations = flags.number("operations", asked.milliseconds == 0 ? 10'000 : UINT64_MAX);
  asked.elements = flags.number("elements", 4096);
  asked.range = flags.number("range", 2 * asked.elements);
  asked.updates = flags.number("updates", 60);
  asked.bytes = flags.number("bytes", 16);
  asked.seed = flags.number("seed", 1);
  Interleaving::seed = ~asked.seed;  // not the numbers that operations are drawn from
  Interleaving::every = flags.number("yield-every", 0);
  const mmt::stm::Options options = options_of(flags, "synthetic", true);
  flags.finish();
  // Asked for, rather than left out.
  if (flags.number("milliseconds", 1) == 0) refuse("--milliseconds is at least 1");
  if (threads < 1 || threads > 256) refuse("--threads is 1 to 256");
  if (asked.elements < 1 || asked.elements > asked.range) refuse("--elements is 1 to --range");
  if (asked.updates > 100) refuse("--updates is a percentage");
  if (asked.bytes < 1) refuse("--bytes is at least 1");

  Outcome outcome;
  mmt::stm::Statistics statistics;
  const auto run_in = [&](auto&& world) {
    outcome = run(name, world, asked);
    statistics = world.memory().statistics();
  };
  if (Interleaving::every == 0) {
    run_in(StmWorld(options, static_cast<unsigned>(threads)));
  } else {
    run_in(InterleavedWorld(options, static_cast<unsigned>(threads)));
  }
  const double rate = static_cast<double>(outcome.operations) / outcome.seconds;
  std::printf("{\"structure\": \"%.*s\", \"threads\": %llu, \"updates\": %llu, \"right\": %s, ",
              static_cast<int>(name.size()), name.data(), static_cast<unsigned long long>(threads),
              static_cast<unsigned long long>(asked.updates), outcome.right ? "true" : "false");
  std::printf("\"seconds\": %.3f, \"per_second\": %.0f, ", outcome.seconds, rate);
  print_counts(stdout);
  print_options(options);
  print_statistics(statistics);
  std::printf("}\n");
  BenchReport report("synthetic");
  report.add("seconds", outcome.seconds, "s");
  report.add("per_second", rate, "per_s");
  report.add(statistics);
  return outcome.right ? 0 : 1;
}
