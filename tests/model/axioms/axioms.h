// The file states the memory model a second time, independently, as axioms instead of a machine. It
// enumerates all candidate executions of a tiny straight-line program, and keeps those that RC11
// calls consistent. A candidate says which operation reads from which, and in which order stores of
// one location go. The axioms are for comparing the explorer with, and hopeless for anything larger
// than eight operations.
#pragma once

#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace mmt::model {

struct LitmusOperation {
  enum class Kind : uint8_t { kLoad, kStore, kAdd, kFence } kind;
  int location = 0;
  std::memory_order order = std::memory_order_relaxed;
  uint32_t value = 0;  // stored, or added
};
// operations[thread][position]
using LitmusProgram = std::vector<std::vector<LitmusOperation>>;

std::string to_string(const LitmusProgram& program);

struct Consistent {
  std::set<std::string> outcomes;  // values read in program order, then each location's last
  uint64_t graphs = 0;
};

Consistent consistent_executions(const LitmusProgram& program, int locations);

}  // namespace mmt::model
