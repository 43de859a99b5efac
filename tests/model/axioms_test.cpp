// The explorer and the axioms allow the same outcomes for random small programs. The explorer
// visits each consistent execution exactly once where no seq_cst fences are involved. The order of
// such fences among themselves is not part of an execution.
#include "axioms/axioms.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "checker/model_sync.h"

namespace mmt::model {
namespace {

using Kind = LitmusOperation::Kind;

constexpr int kLocations = 2;
LitmusProgram g_program;
std::set<std::string> g_outcomes;

struct Interpreted {
  static constexpr int kThreads = 3;
  std::array<ModelAtomic<uint32_t>, kLocations> atomics;
  std::array<std::string, kThreads> read;

  void thread(int index) {
    for (const LitmusOperation& op : g_program[static_cast<size_t>(index)]) {
      auto& atomic = atomics[static_cast<size_t>(op.location)];
      auto& text = read[static_cast<size_t>(index)];
      switch (op.kind) {
        case Kind::kLoad:
          text += std::to_string(atomic.load(op.order)) + " ";
          break;
        case Kind::kStore:
          atomic.store(op.value, op.order);
          break;
        case Kind::kAdd:
          text += std::to_string(atomic.fetch_add(op.value, op.order)) + " ";
          break;
        case Kind::kFence:
          Explorer::current()->fence(op.order);
          break;
      }
    }
  }
  void finish() {
    std::string outcome = read[0] + read[1] + read[2] + "|";
    for (auto& atomic : atomics) {
      outcome += " " + std::to_string(atomic.load(std::memory_order_relaxed));
    }
    g_outcomes.insert(outcome);
  }
};

std::memory_order pick(std::minstd_rand& random, std::initializer_list<std::memory_order> orders) {
  return orders.begin()[random() % orders.size()];
}

LitmusProgram random_program(std::minstd_rand& random, bool sc_fences) {
  constexpr auto kRlx = std::memory_order_relaxed;
  constexpr auto kAcq = std::memory_order_acquire;
  constexpr auto kRel = std::memory_order_release;
  constexpr auto kBoth = std::memory_order_acq_rel;
  LitmusProgram program(Interpreted::kThreads);
  uint32_t value = 1;
  for (auto left = 5 + random() % 3; left > 0; --left) {
    LitmusOperation op{};
    op.location = static_cast<int>(random() % kLocations);
    op.value = value;
    switch (random() % (sc_fences ? 10 : 8)) {
      case 0:
      case 1:
      case 2:
        op.kind = Kind::kLoad;
        op.order = pick(random, {kRlx, kAcq});
        break;
      case 3:
      case 4:
      case 5:
        op.kind = Kind::kStore;
        op.order = pick(random, {kRlx, kRel});
        value *= 10;
        break;
      case 6:
        op.kind = Kind::kAdd;
        op.order = pick(random, {kRlx, kAcq, kRel, kBoth});
        value *= 10;
        break;
      default:
        op.kind = Kind::kFence;
        op.order = pick(random, {kAcq, kRel, kBoth});
        if (sc_fences && random() % 4 != 0) op.order = std::memory_order_seq_cst;
    }
    program[random() % program.size()].push_back(op);
  }
  return program;
}

void compare(uint32_t seed, int programs, bool sc_fences) {
  std::minstd_rand random(seed);
  for (int i = 0; i < programs; ++i) {
    g_program = random_program(random, sc_fences);
    g_outcomes.clear();
    const Result explored = explore<Interpreted>();
    const Consistent expected = consistent_executions(g_program, kLocations);
    ASSERT_EQ(explored.verdict, Result::Verdict::kHolds);
    ASSERT_EQ(g_outcomes, expected.outcomes) << to_string(g_program);
    if (!sc_fences) {
      ASSERT_EQ(explored.executions, expected.graphs) << to_string(g_program);
    } else {
      ASSERT_GE(explored.executions, expected.graphs) << to_string(g_program);
    }
  }
}

TEST(Axioms, RandomProgramsAgree) { compare(1, 10000, false); }

TEST(Axioms, RandomProgramsWithSeqCstFencesAgree) { compare(2, 10000, true); }

}  // namespace
}  // namespace mmt::model
