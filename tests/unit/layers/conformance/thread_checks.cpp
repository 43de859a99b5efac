// Heaps that any thread may call: several use one at a time, each frees also what others took, and
// contents stay. Races are for layers_test under ThreadSanitizer.
#include <array>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "unit/layers/conformance/checks.h"
#include "unit/layers/conformance/trial.h"

namespace mmt::layers::conformance {
namespace {

bool is_for_threads(const Composition& composition) {
  return composition.terms.is_for_threads && !composition.terms.is_stack;
}

struct Passed {
  char* data;
  size_t bytes;
  char value;
};

// Blocks on their way from one thread to any other.
struct Exchange {
  std::mutex mutex;
  std::array<Passed, 32> slots{};

  Passed swap(size_t slot, const Passed& given) {
    const std::lock_guard lock(mutex);
    return std::exchange(slots[slot], given);
  }
};

bool is_kept(const Passed& block) {
  for (size_t i = 0; i < block.bytes; ++i) {
    if (block.data[i] != block.value) return false;
  }
  return true;
}

void work(Trial& trial, Exchange& exchange, uint64_t seed, size_t* lost) {
  Random random(seed);
  for (int i = 0; i < 1500; ++i) {
    const size_t bytes = trial.fit(random.below(random.below(20) == 0 ? 20000 : 300));
    auto* const data = static_cast<char*>(trial.heap().malloc(bytes));
    if (data == nullptr) continue;
    const Passed mine{data, bytes, static_cast<char>(i)};
    memset(data, mine.value, bytes);
    const Passed other = exchange.swap(random.below(exchange.slots.size()), mine);
    if (other.data == nullptr) continue;
    if (!is_kept(other)) ++*lost;
    trial.heap().free(other.data);
  }
}

void threads(const Composition& composition, Findings& findings, size_t one_size) {
  constexpr size_t kThreads = 3;
  Trial trial(composition, findings, one_size);
  Exchange exchange;
  std::array<size_t, kThreads> lost{};
  {
    std::vector<std::jthread> all;
    for (size_t t = 0; t < kThreads; ++t) {
      all.emplace_back([&, t] { work(trial, exchange, t + 1, &lost[t]); });
    }
  }
  for (const size_t each : lost) {
    findings.expect(each == 0, "%zu blocks lost their contents", each);
  }
  for (const Passed& left : exchange.slots) {
    if (left.data != nullptr) trial.heap().free(left.data);
  }
  trial.end();
}

constexpr Check kChecks[] = {{"threads", threads, is_for_threads}};

}  // namespace

std::span<const Check> thread_checks() { return kChecks; }

}  // namespace mmt::layers::conformance
