// The score of a network from the records themselves, without AD-tree and lists: what the learner's
// is checked by.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stm/stamp/bayes/input.h"

namespace mmt::workloads::stm::bayes {

// How likely the variable's records are, given its parents.
inline double counted_likelihood(std::span<const uint32_t> records, size_t variable,
                                 const std::vector<size_t>& parents) {
  struct Times {
    double value[2] = {};
  };
  std::vector<Times> times(size_t{1} << parents.size());  // by values of the parents
  for (const uint32_t record : records) {
    size_t combination = 0;
    for (size_t parent : parents) combination = 2 * combination + (record >> parent & 1);
    ++times[combination].value[record >> variable & 1];
  }
  double sum = 0;
  for (const Times& one : times) {
    for (const double held : one.value) {
      if (held > 0) sum += held * std::log(held / (one.value[0] + one.value[1]));
    }
  }
  return sum;
}

inline double counted_score(const Parameters& asked, std::span<const uint32_t> records,
                            const Parents& parents) {
  const double for_parent =
      asked.insert_penalty * 0.5 * std::log(static_cast<double>(records.size()));
  double sum = 0;
  for (size_t variable = 0; variable < parents.size(); ++variable) {
    sum += counted_likelihood(records, variable, parents[variable]) -
           for_parent * static_cast<double>(parents[variable].size());
  }
  return sum;
}

// This says whether a learner may say that the network it learned has this score. The records must
// give that score. The network must gain at least half of what the network that made the records
// gains. Threads that change the network at once may miss an edge, so that the very best cannot
// be asked for.
inline bool is_learned(const Parameters& asked, std::span<const uint32_t> records,
                       const Parents& source, const Parents& learned, double score) {
  const double counted = counted_score(asked, records, learned);
  const double start = counted_score(asked, records, Parents(asked.variables));
  const double best = counted_score(asked, records, source);
  return std::abs(counted - score) < -1e-9 * counted && counted - start >= (best - start) / 2;
}

}  // namespace mmt::workloads::stm::bayes
