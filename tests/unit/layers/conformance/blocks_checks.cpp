// Blocks: that there are some, of the right size, at the right place, apart from one another, and
// that their contents stay.
#include <initializer_list>

#include "unit/layers/conformance/checks.h"
#include "unit/layers/conformance/system_memory.h"
#include "unit/layers/conformance/trial.h"

namespace mmt::layers::conformance {
namespace {

bool gives_blocks(const Composition& composition) { return !composition.terms.gives_nothing; }

void least_request(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  // A refusal is a finding.
  for (int i = 0; i < 8; ++i) trial.take(trial.fit(0));
  trial.give_all(Order::kOldestFirst);
  trial.end();
}

// Every small size, and those about powers of two.
void sizes(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  for (size_t bytes = 0; bytes <= 300; ++bytes) trial.take(trial.fit(bytes));
  trial.give_all(Order::kRandom);
  for (size_t power = 256; power <= 512 * 1024; power *= 2) {
    if (power + 1 > composition.terms.largest) break;
    for (const size_t bytes : std::initializer_list<size_t>{power - 1, power, power + 1})
      trial.take(trial.fit(bytes));
    if (trial.blocks().count() > 12) trial.give_all(Order::kYoungestFirst);
  }
  trial.give_all(Order::kOldestFirst);
  trial.end();
}

void order(const Composition& composition, Findings& findings, size_t one_size) {
  for (const Order order : {Order::kYoungestFirst, Order::kOldestFirst, Order::kRandom}) {
    Trial trial(composition, findings, one_size);
    for (int round = 0; round < 4 && findings.is_empty(); ++round) {
      for (size_t i = 0; i < 120; ++i) trial.take(trial.fit(i * 37 % 500));
      trial.give_all(order);
    }
    trial.end();
  }
}

void mix(const Composition& composition, Findings& findings, size_t one_size) {
  for (const uint64_t seed : std::initializer_list<uint64_t>{1, 2}) {
    Trial trial(composition, findings, one_size);
    Random random(seed);
    for (int i = 0; i < 1500 && findings.is_empty(); ++i) trial.step(random, 150, 300000);
    trial.give_all(Order::kRandom, seed);
    // Once more, in what was freed.
    for (int i = 0; i < 400 && findings.is_empty(); ++i) trial.step(random, 60, 2000);
    trial.give_all(Order::kRandom, seed);
    trial.end();
  }
}

bool reuses(const Composition& composition) {
  const Terms& terms = composition.terms;
  return gives_blocks(composition) && terms.reuses && !terms.fails_at_times;
}

// As many blocks again and again need no more memory than the first times.
void reuse(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  size_t settled = 0;
  for (int round = 0; round < 300 && findings.is_empty(); ++round) {
    for (size_t i = 0; i < 12; ++i) trial.take(trial.fit(i * 29 % 400));
    trial.give_all(Order::kYoungestFirst);
    const size_t mapped = composition.terms.has_side_tables ? 0 : mapped_bytes();
    const size_t now = Ledger::totals().live_bytes + mapped;
    if (round == 150) settled = now;
    if (round > 150) findings.expect(now <= settled, "grew from %zu to %zu bytes", settled, now);
  }
  trial.end();
}

bool keeps_all(const Composition& composition) {
  return gives_blocks(composition) && composition.traits.keeps_all;
}

void keeping(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  for (int i = 0; i < 50; ++i) trial.take(trial.fit(100));
  const LedgerTotals before = Ledger::totals();
  trial.give_all(Order::kRandom);
  const LedgerTotals after = Ledger::totals();
  findings.expect(after.frees == before.frees, "kKeepsAll, but %zu blocks went to the source",
                  after.frees - before.frees);
  trial.end();
}

bool is_contiguous(const Composition& composition) {
  return gives_blocks(composition) && composition.traits.is_contiguous;
}

void contiguous(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  size_t bytes = trial.fit(64) == 0 ? 1 : trial.fit(64);
  if (composition.offers(kGoodSize)) bytes = trial.heap().good_size(bytes);
  const size_t step = (bytes + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
  for (int i = 0; i < 8; ++i) {
    if (!trial.take(trial.fit(64))) return;
    // What is freed is not what comes next.
    if (i == 4) trial.give(2);  // of four
  }
  ShadowBlocks& blocks = trial.blocks();
  for (size_t i = 3; i < blocks.count(); ++i) {
    findings.expect(blocks[i].data == blocks[i - 1].data + step,
                    "kContiguous, but %p follows %p of %zu", static_cast<void*>(blocks[i].data),
                    static_cast<void*>(blocks[i - 1].data), step);
  }
  trial.give_all(Order::kYoungestFirst);
  trial.end();
}

bool is_stack(const Composition& composition) { return composition.terms.is_stack; }

void stack(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  for (int round = 0; round < 20; ++round) {
    for (size_t i = 0; i < 40; ++i) trial.take(trial.fit(i * 61 % 700));
    if (trial.blocks().count() > 7) trial.give(7);
    for (size_t i = 0; i < 30; ++i) trial.take(trial.fit(i * 17 % 90));
    if (trial.blocks().count() != 0) trial.give(0);
  }
  trial.end();
}

constexpr Check kChecks[] = {
    {"least_request", least_request, gives_blocks},
    {"sizes", sizes, gives_blocks},
    {"order", order, gives_blocks},
    {"mix", mix, gives_blocks},
    {"reuse", reuse, reuses},
    {"keeping", keeping, keeps_all},
    {"contiguous", contiguous, is_contiguous},
    {"stack", stack, is_stack},
};

}  // namespace

std::span<const Check> blocks_checks() { return kChecks; }

}  // namespace mmt::layers::conformance
