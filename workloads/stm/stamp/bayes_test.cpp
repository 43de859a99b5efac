// What bayes learns, and what its check says of less.
#include "stm/stamp/bayes.h"

#include <gtest/gtest.h>

namespace mmt::workloads::stm::bayes {
namespace {

constexpr Parameters kAsked{12, 512, 3, 40, 2, 4, 3};

class Bayes : public testing::Test {
 protected:
  Bayes() { learner_.work(worker_, 0); }

  bool holds(const Parents& learned, double score) const {
    return is_learned(kAsked, drawn_, input_.parents, learned, score);
  }
  double score_of(const Parents& parents) const { return counted_score(kAsked, drawn_, parents); }

  Input input_ = make_input(kAsked);
  const std::vector<uint32_t> drawn_ = input_.records;
  const AdTree tree_{kAsked.variables, input_.records};
  PlainWorld world_;
  PlainWorker worker_;
  Learner<PlainWorld> learner_{world_, kAsked, tree_};
};

TEST_F(Bayes, ARunIsRight) {
  EXPECT_TRUE(learner_.is_right());
  EXPECT_TRUE(holds(learner_.learned(), learner_.score()));
}

// One thread's climb ends at the top.
TEST_F(Bayes, NoEdgeMoreOrLessWouldGain) {
  const Parents learned = learner_.learned();
  const double score = score_of(learned);
  size_t better = 0;
  for (size_t to = 0; to < kAsked.variables; ++to) {
    for (size_t from = 0; from < kAsked.variables; ++from) {
      Parents changed = learned;
      std::vector<size_t>& mine = changed[to];
      if (std::erase(mine, from) == 0) {
        if (is_ancestor(learned, to, from) || mine.size() == kAsked.most_parents) continue;
        mine.push_back(from);
      }
      if (score_of(changed) > score + 1e-6) ++better;
    }
  }
  EXPECT_EQ(better, 0u);
}

TEST_F(Bayes, LearningNothingIsWrong) {
  const Parents nothing(kAsked.variables);
  EXPECT_FALSE(holds(nothing, score_of(nothing)));
}

TEST_F(Bayes, OneEdgeAloneIsWrong) {
  const Parents learned = learner_.learned();
  for (size_t variable = 0; variable < kAsked.variables; ++variable) {
    if (learned[variable].empty()) continue;
    Parents one(kAsked.variables);
    one[variable] = {learned[variable][0]};
    EXPECT_FALSE(holds(one, score_of(one)));
  }
}

TEST_F(Bayes, AnotherScoreThanThatOfTheRecordsIsWrong) {
  for (const double off : {-0.01, 0.01}) {
    EXPECT_FALSE(holds(learner_.learned(), learner_.score() + off));
  }
}

// The tree counts as the records do.
TEST_F(Bayes, LikelihoodsAreThoseOfTheRecords) {
  Plain plain;
  Network network(kAsked.variables);
  Likelihood likelihood(tree_, kAsked.variables, kAsked.records);
  for (size_t variable = 0; variable < kAsked.variables; ++variable) {
    for (size_t parent : input_.parents[variable]) network.insert(plain, parent, variable);
    const double counted = counted_likelihood(drawn_, variable, input_.parents[variable]);
    EXPECT_NEAR(kAsked.records * likelihood.of(plain, network, variable), counted, 1e-9);
  }
}

TEST(Counted, ByHand) {
  // Variable 1 is variable 0 in three of four records.
  const uint32_t records[] = {0b00, 0b00, 0b11, 0b01};
  EXPECT_DOUBLE_EQ(counted_likelihood(records, 1, {0}), 2 * std::log(0.5));
  EXPECT_DOUBLE_EQ(counted_likelihood(records, 1, {}), 3 * std::log(0.75) + std::log(0.25));
}

}  // namespace
}  // namespace mmt::workloads::stm::bayes
