// Requests that cannot be met: too large, or when there is no memory. Null, nothing has changed,
// and all is well again when there is memory.
#include <cstdint>
#include <initializer_list>

#include "unit/layers/conformance/checks.h"
#include "unit/layers/conformance/fault_plan.h"
#include "unit/layers/conformance/trial.h"

namespace mmt::layers::conformance {
namespace {

bool always(const Composition&) { return true; }
bool may_refuse(const Composition& composition) {
  return composition.terms.is_full_early || composition.terms.fails_at_times;
}
bool gives_nothing(const Composition& composition) { return composition.terms.gives_nothing; }
bool gives_blocks(const Composition& composition) { return !composition.terms.gives_nothing; }

constexpr size_t kTooLarge[] = {
    SIZE_MAX,        SIZE_MAX - 1,         SIZE_MAX - 7,        SIZE_MAX - 8,     SIZE_MAX - 15,
    SIZE_MAX - 16,   SIZE_MAX - 31,        SIZE_MAX - 40,       SIZE_MAX - 64,    SIZE_MAX - 4095,
    SIZE_MAX - 4096, SIZE_MAX / 2,         SIZE_MAX / 2 + 1,    SIZE_MAX / 4 * 3, kMaxRequest,
    kMaxRequest + 1, SIZE_MAX - (1 << 20), SIZE_MAX - (1 << 21)};

void overflow(const Composition& composition, Findings& findings, size_t one_size) {
  for (const size_t bytes : kTooLarge) {
    Trial trial(composition, findings, one_size);
    trial.allow_refusals(true);
    if (!composition.traits.is_one_size) trial.take(100);
    void* const block = trial.heap().malloc(bytes);
    findings.expect(block == nullptr, "malloc(%zu) gave a block", bytes);
    if (composition.offers(kGoodSize) && bytes > kMaxRequest) {
      const size_t good = trial.heap().good_size(bytes);
      findings.expect(good == 0, "good_size(%zu) is %zu", bytes, good);
    }
    if (!findings.is_empty()) return;
    if (!composition.traits.is_one_size) trial.take(100);
    trial.give_all(Order::kOldestFirst);
    trial.end();
  }
}

bool resizes(const Composition& composition) {
  return gives_blocks(composition) && (composition.offers(kExpand) || composition.offers(kRealloc));
}

void overflow_of_resizing(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  trial.allow_refusals(true);
  trial.take(trial.fit(100));
  trial.take(trial.fit(20000));
  for (size_t i = 0; i < trial.blocks().count(); ++i) {
    for (const size_t bytes : kTooLarge) {
      if (composition.offers(kExpand)) {
        findings.expect(!trial.heap().expand(trial.blocks()[i].data, bytes),
                        "expand to %zu came true", bytes);
      }
      if (composition.offers(kRealloc)) {
        findings.expect(trial.heap().realloc(trial.blocks()[i].data, bytes) == nullptr,
                        "realloc to %zu gave a block", bytes);
      }
      if (!findings.is_empty()) return;
    }
    if (composition.offers(kGetSize)) {
      const size_t size = trial.heap().get_size(trial.blocks()[i].data);
      findings.expect(size == trial.blocks()[i].usable, "the block has become one of %zu", size);
    }
  }
  trial.give_all(Order::kYoungestFirst);
  trial.end();
}

bool allocates(const Composition& composition) { return composition.offers(kAllocate); }

void overflow_of_allocate(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  const auto refuses = [&](size_t bytes, size_t alignment) {
    const Block block = trial.heap().allocate(bytes, alignment);
    findings.expect(block.data == nullptr && block.size == 0, "allocate(%zu, %zu) gave %zu bytes",
                    bytes, alignment, block.size);
  };
  for (const size_t bytes : kTooLarge) {
    for (const size_t alignment :
         std::initializer_list<size_t>{size_t{1}, size_t{16}, size_t{64}, size_t{1} << 21}) {
      refuses(bytes, alignment);
    }
  }
  for (const int bit : {61, 62, 63}) refuses(trial.fit(100), size_t{1} << bit);
  trial.end();
}

void script(Trial& trial, const Composition& composition, Findings& findings) {
  Random random(7);
  for (int i = 0; i < 60 && !findings.is_full(); ++i) {
    trial.step(random, 24, 20000);
    if (i == 40 && composition.offers(kClear)) trial.clear();
  }
}

// Each of the calls that some use makes, alone.
void single_faults(const Composition& composition, Findings& findings, size_t one_size) {
  size_t calls = 1;
  for (size_t failing = 0; failing <= calls && failing < 60; ++failing) {
    set_faults({failing, 0});
    Trial trial(composition, findings, one_size);
    trial.allow_refusals(failing != 0 || may_refuse(composition));
    script(trial, composition, findings);
    if (failing == 0) calls = fault_calls();
    set_faults(kNoFaults);
    trial.allow_refusals(may_refuse(composition));
    trial.take(trial.fit(200));
    trial.give_all(Order::kRandom);
    trial.end();
    if (!findings.is_empty()) return findings.add("where call %zu failed", failing);
  }
}

void many_faults(const Composition& composition, Findings& findings, size_t one_size) {
  for (const size_t every : std::initializer_list<size_t>{1, 2, 3, 5}) {
    Trial trial(composition, findings, one_size);
    trial.allow_refusals(true);
    Random random(every);
    for (int round = 0; round < 3 && findings.is_empty(); ++round) {
      set_faults({1, every});
      for (int i = 0; i < 120 && findings.is_empty(); ++i) trial.step(random, 60, 100000);
      set_faults(kNoFaults);
      for (int i = 0; i < 30 && findings.is_empty(); ++i) trial.step(random, 60, 100000);
    }
    trial.allow_refusals(may_refuse(composition));
    trial.take(trial.fit(200));
    trial.give_all(Order::kRandom);
    trial.end();
    if (!findings.is_empty()) return findings.add("where every call of %zu failed", every);
  }
}

void nothing(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  for (const size_t bytes : std::initializer_list<size_t>{0, 1, 24, 4096, 1 << 20}) {
    findings.expect(trial.heap().malloc(bytes) == nullptr, "gave a block");
  }
  trial.end();
}

constexpr Check kChecks[] = {
    {"overflow", overflow, always},
    {"overflow_of_resizing", overflow_of_resizing, resizes},
    {"overflow_of_allocate", overflow_of_allocate, allocates},
    {"single_faults", single_faults, gives_blocks},
    {"many_faults", many_faults, gives_blocks},
    {"nothing", nothing, gives_nothing},
};

}  // namespace

std::span<const Check> refusal_checks() { return kChecks; }

}  // namespace mmt::layers::conformance
