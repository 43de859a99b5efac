// What is learned from: a random network of binary variables, and records drawn from it. A record
// is a word with a bit a variable.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "stm/stamp/result.h"

namespace mmt::workloads::stm::bayes {

struct Parameters {
  size_t variables;  // at most 32
  size_t records;
  size_t trials;          // for a parent, a variable
  uint64_t percent;       // of trials that draw one
  double insert_penalty;  // times what a parent costs
  size_t most_parents;    // that are learned
  uint32_t seed;
};

inline Parameters parameters_of(Size size) {
  return by_size<Parameters>(size, {32, 1024, 2, 20, 2, 2, 0}, {32, 1024, 5, 30, 2, 6, 1},
                             {32, 2048, 5, 30, 2, 6, 1}, {32, 4096, 10, 40, 2, 8, 1});
}

using Parents = std::vector<std::vector<size_t>>;  // by variable, sorted

// Whether `from` is an ancestor of `to`, or the same.
inline bool is_ancestor(const Parents& parents, size_t from, size_t to) {
  if (from == to) return true;
  return std::any_of(parents[to].begin(), parents[to].end(),
                     [&](size_t parent) { return is_ancestor(parents, from, parent); });
}

// Parents before children.
inline std::vector<size_t> order_of(const Parents& parents) {
  std::vector<size_t> order;
  std::vector<bool> seen(parents.size());
  const auto visit = [&](const auto& again, size_t variable) -> void {
    if (seen[variable]) return;
    seen[variable] = true;
    for (size_t parent : parents[variable]) again(again, parent);
    order.push_back(variable);
  };
  for (size_t variable = 0; variable < parents.size(); ++variable) visit(visit, variable);
  return order;
}

struct Input {
  Parents parents;  // of the network that made the records
  std::vector<uint32_t> records;
};

inline Input make_input(const Parameters& asked) {
  Random random(asked.seed);
  Input input;
  input.parents.resize(asked.variables);
  for (size_t variable = 0; variable < asked.variables; ++variable) {
    std::vector<size_t>& mine = input.parents[variable];
    for (size_t trial = 0; trial < asked.trials; ++trial) {
      if (random.below(100) >= asked.percent) continue;
      const size_t parent = random.below(asked.variables);
      if (std::find(mine.begin(), mine.end(), parent) != mine.end()) continue;
      if (!is_ancestor(input.parents, variable, parent)) mine.push_back(parent);
    }
    std::sort(mine.begin(), mine.end());
  }
  // In how many of a hundred records the variable is set, for each combination of its parents.
  std::vector<std::vector<uint64_t>> thresholds(asked.variables);
  for (size_t variable = 0; variable < asked.variables; ++variable) {
    thresholds[variable].resize(size_t{1} << input.parents[variable].size());
    for (uint64_t& threshold : thresholds[variable]) threshold = random.below(101);
  }
  const std::vector<size_t> order = order_of(input.parents);
  input.records.resize(asked.records);
  for (uint32_t& record : input.records) {
    for (size_t variable : order) {
      size_t combination = 0;
      for (size_t parent : input.parents[variable]) {
        combination = 2 * combination + (record >> parent & 1);
      }
      if (random.below(100) < thresholds[variable][combination]) record |= uint32_t{1} << variable;
    }
  }
  return input;
}

}  // namespace mmt::workloads::stm::bayes
