// What a heap may offer besides malloc and free, tested where it does.
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "unit/layers/conformance/checks.h"
#include "unit/layers/conformance/fault_plan.h"
#include "unit/layers/conformance/trial.h"

namespace mmt::layers::conformance {
namespace {

template <unsigned kOffer>
bool offers(const Composition& composition) {
  return !composition.terms.gives_nothing && composition.offers(static_cast<Offer>(kOffer));
}
bool always(const Composition&) { return true; }
bool may_refuse(const Composition& composition) {
  return composition.terms.is_full_early || composition.terms.fails_at_times;
}

void traits(const Composition& composition, Findings& findings, size_t) {
  const Traits& traits = composition.traits;
  const size_t alignment = traits.alignment;
  findings.expect(alignment != 0 && (alignment & (alignment - 1)) == 0 && traits.skew < alignment,
                  "kAlignment %zu and kSkew %zu are no place", alignment, traits.skew);
  findings.expect(!traits.can_be_copied || composition.terms.may_be_copied,
                  "it can be copied or moved");
  const unsigned wanted = composition.terms.offers;
  findings.expect(wanted == ~0U || wanted == traits.offers, "it offers 0x%x, not 0x%x",
                  traits.offers, wanted);
}

void good_size(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  for (size_t wish = 0; wish < 40000; wish += wish < 200 ? 1 : wish / 7) {
    const size_t bytes = trial.fit(wish);
    const size_t good = trial.heap().good_size(bytes);
    findings.expect(good >= bytes, "good_size(%zu) is %zu", bytes, good);
    if (!trial.take(bytes)) continue;
    const ShadowBlocks::Entry& block = trial.blocks()[trial.blocks().count() - 1];
    if (composition.offers(kGetSize)) {
      findings.expect(block.usable >= good, "good_size(%zu) is %zu, but a block has %zu", bytes,
                      good, block.usable);
    }
    if (trial.blocks().count() > 20) trial.give_all(Order::kYoungestFirst);
    if (composition.traits.is_one_size) break;
  }
  trial.give_all(Order::kRandom);
  trial.end();
}

void expand(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  for (size_t i = 0; i < 30; ++i) {
    if (!trial.take(trial.fit(10 + i * 7))) break;
    trial.grow(trial.blocks().count() - 1, trial.fit(20 + i * 23));
    trial.grow(i / 2, trial.fit(300));
    trial.grow(i / 3, trial.fit(1));  // never smaller
  }
  trial.give_all(Order::kRandom);
  // What grew is as good as any other block.
  for (size_t i = 0; i < 40; ++i) trial.take(trial.fit(5 + i * 11));
  trial.give_all(Order::kRandom);
  trial.end();
}

void allocate(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  for (size_t alignment = 1; alignment <= size_t{2} << 20; alignment *= 2) {
    if (alignment > composition.terms.largest) break;
    for (const size_t bytes :
         std::initializer_list<size_t>{size_t{0}, size_t{1}, size_t{100}, alignment + 1}) {
      if (bytes > composition.terms.largest) continue;
      trial.take_aligned(trial.fit(bytes), alignment);
      trial.take(trial.fit(bytes / 4));
    }
    if (alignment >= 4096) trial.give_all(Order::kRandom, alignment);
  }
  trial.give_all(Order::kRandom);
  // Their memory serves ordinary requests.
  for (size_t i = 0; i < 60; ++i) trial.take(trial.fit(i * 19));
  trial.give_all(Order::kOldestFirst);
  trial.end();
}

void owns(const Composition& composition, Findings& findings, size_t one_size) {
  static int global = 0;
  int local = 0;
  Trial trial(composition, findings, one_size);
  Trial other(composition, findings, one_size);
  void* const foreign = std::malloc(100);
  const auto disowns = [&](const void* address, const char* what) {
    findings.expect(!trial.heap().owns(address), "owns() claims %s", what);
  };
  for (int round = 0; round < 2; ++round) {
    disowns(nullptr, "null");
    disowns(&global, "a global variable");
    disowns(&local, "a local variable");
    disowns(foreign, "a block of the process");
    disowns(&trial.heap() + 1, "what lies behind the heap");
    for (size_t i = 0; i < 20; ++i) trial.take(trial.fit(i * 50));
    for (size_t i = 0; i < 20; ++i) other.take(other.fit(i * 50));
    for (size_t i = 0; i < other.blocks().count() && !composition.terms.is_shared; ++i) {
      disowns(other.blocks()[i].data, "a block of another heap");
    }
  }
  std::free(foreign);
  for (Trial* each : {&trial, &other}) each->give_all(Order::kRandom);
  // Neither could give back what lies below the other's.
  for (Trial* each : {&trial, &other}) each->end_unchecked();
}

void realloc(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  for (size_t i = 0; i < 12; ++i) {
    if (!trial.take(trial.fit(1 + i * 5))) continue;
    const size_t last = trial.blocks().count() - 1;
    for (const size_t bytes :
         std::initializer_list<size_t>{10, 11, 40, 200, 5000, 90000, 70000, 300, 20, 1}) {
      trial.resize(last, trial.fit(bytes));
    }
  }
  void* const block = trial.heap().realloc(nullptr, trial.fit(50));
  findings.expect(block != nullptr || may_refuse(composition), "realloc(null, 50) is null");
  if (block != nullptr) trial.heap().free(block);
  trial.give_all(Order::kRandom);
  trial.end();
}

void calloc(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  for (int round = 0; round < 3; ++round) {
    for (const size_t bytes : std::initializer_list<size_t>{1, 24, 100, 3000, 20000}) {
      const size_t size = trial.fit(bytes);
      auto* const block = static_cast<char*>(trial.heap().calloc(size, 1));
      findings.expect(block != nullptr || may_refuse(composition), "calloc(%zu, 1) is null", size);
      if (block == nullptr) continue;
      const bool is_zero = size == 0 || (*block == 0 && memcmp(block, block + 1, size - 1) == 0);
      findings.expect(is_zero, "calloc(%zu, 1) is not zero", size);
      memset(block, 0xee, size);
      trial.heap().free(block);
    }
  }
  constexpr size_t kHalf = size_t{1} << 33;
  findings.expect(trial.heap().calloc(kHalf, kHalf) == nullptr, "calloc(2^33, 2^33) wrapped");
  findings.expect(trial.heap().calloc(3, SIZE_MAX / 2) == nullptr, "calloc(3, SIZE_MAX/2) wrapped");
  trial.end();
}

void remap(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  for (const size_t bytes : std::initializer_list<size_t>{100, 9000, 250000})
    trial.take(trial.fit(bytes));
  for (size_t i = 0; i < trial.blocks().count() && findings.is_empty(); ++i) {
    for (const size_t wish : std::initializer_list<size_t>{9001, 130000, 5000, 10, 700000}) {
      const size_t bytes = trial.fit(wish);
      void* const moved = trial.heap().remap(trial.blocks()[i].data, bytes);
      if (moved == nullptr) continue;
      const size_t size = composition.offers(kGetSize) ? trial.heap().get_size(moved) : bytes;
      findings.expect(size >= bytes, "remap to %zu left %zu", bytes, size);
      trial.blocks().change(i, moved, bytes, size, bytes);
    }
    set_faults(kAllFail);
    findings.expect(trial.heap().remap(trial.blocks()[i].data, size_t{1} << 40) == nullptr,
                    "remap to 2^40 bytes");
    set_faults(kNoFaults);
  }
  trial.give_all(Order::kOldestFirst);
  trial.end();
}

// Cleared, a heap is as at first: the same requests need no more memory than before.
void clear(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  trial.heap().clear();
  size_t peak = 0;
  size_t served = 0;
  for (int round = 0; round < 5 && findings.is_empty(); ++round) {
    size_t taken = 0;
    for (size_t i = 0; i < 80; ++i) taken += trial.take(trial.fit(i * 53 % 900)) ? 1 : 0;
    if (round % 2 == 1 && taken != 0) trial.give(trial.blocks().count() / 2);
    trial.clear();
    if (round == 3) trial.heap().clear();
    const size_t peak_now = Ledger::totals().peak_bytes;
    if (round == 1) peak = peak_now;
    if (round == 0) served = taken;
    if (composition.terms.fails_at_times || composition.terms.clears_in_part) continue;
    if (round > 1) findings.expect(peak_now <= peak, "peak grew from %zu to %zu", peak, peak_now);
    findings.expect(taken == served, "served %zu requests, %zu at first", taken, served);
  }
  for (size_t i = 0; i < 10; ++i) trial.take(trial.fit(i * 53 % 900));
  trial.give_all(Order::kRandom);
  trial.clear();
  trial.end();
}

constexpr Check kChecks[] = {
    {"traits", traits, always},          {"good_size", good_size, offers<kGoodSize>},
    {"expand", expand, offers<kExpand>}, {"allocate", allocate, offers<kAllocate>},
    {"owns", owns, offers<kOwns>},       {"realloc", realloc, offers<kRealloc>},
    {"calloc", calloc, offers<kCalloc>}, {"remap", remap, offers<kRemap>},
    {"clear", clear, offers<kClear>},
};

}  // namespace

std::span<const Check> offers_checks() { return kChecks; }

}  // namespace mmt::layers::conformance
