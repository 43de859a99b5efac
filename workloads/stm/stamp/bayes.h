// bayes: learns a Bayesian network from records by hill climbing over an AD-tree. The check: there
// is no cycle. The score that was kept through all changes is that of the network, by a count of
// the records. The network has most of the gain of the one that made the records.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "stm/common/world.h"
#include "stm/stamp/bayes/ad_tree.h"
#include "stm/stamp/bayes/counted.h"
#include "stm/stamp/bayes/input.h"
#include "stm/stamp/bayes/learner.h"
#include "stm/stamp/bayes/likelihood.h"
#include "stm/stamp/bayes/network.h"
#include "stm/stamp/result.h"

namespace mmt::workloads::stm::bayes {

// The likelihood of the network with these parents.
inline double sum_of(const AdTree& tree, const Parameters& asked, const Parents& parents) {
  Plain plain;
  Network network(asked.variables);
  Likelihood likelihood(tree, asked.variables, asked.records);
  double sum = 0;
  for (size_t variable = 0; variable < parents.size(); ++variable) {
    for (size_t parent : parents[variable]) network.insert(plain, parent, variable);
    sum += likelihood.of(plain, network, variable);
  }
  return sum;
}

template <class World>
Result run(World& world, Size size) {
  const Parameters asked = parameters_of(size);
  Input input = make_input(asked);
  const std::vector<uint32_t> drawn = input.records;
  const AdTree tree(asked.variables, input.records);
  Learner<World> learner(world, asked, tree);
  Result result;
  Stopwatch clock;
  world.parallel([&](auto& worker, unsigned number) { learner.work(worker, number); });
  result.seconds = clock.lap();
  const double records = static_cast<double>(asked.records);
  const double start = records * sum_of(tree, asked, Parents(asked.variables));
  const double source = records * sum_of(tree, asked, input.parents);
  result.right = learner.is_right() &&
                 is_learned(asked, drawn, input.parents, learner.learned(), learner.score());
  const auto cost = [](double score) { return static_cast<uint64_t>(std::llround(-score)); };
  result.numbers = {{"parents", learner.parents()},
                    {"steps", learner.steps()},
                    {"cost", cost(learner.score())},
                    {"cost_at_start", cost(start)},
                    {"cost_of_source", cost(source)}};
  return result;
}

}  // namespace mmt::workloads::stm::bayes
