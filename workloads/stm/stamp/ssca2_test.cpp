// What the check of ssca2 says of wrong graphs.
#include "stm/stamp/ssca2.h"

#include <gtest/gtest.h>

namespace mmt::workloads::stm::ssca2 {
namespace {

class Ssca2 : public testing::Test {
 protected:
  Ssca2() : graph_(input_.vertices, input_.edges.size()) {
    Array<Edge> spare(input_.edges.size());
    sort(&input_.edges, spare.data());
  }
  void fill() {
    fill_out(input_, graph_);
    StmWorld world({}, 2);
    world.parallel([&](auto& worker, unsigned number) {
      fill_in(worker, graph_, Share(input_.vertices, number, 2));
    });
  }
  bool holds() const { return is_right(graph_, input_, digest_); }
  // One that has somebody in its in-list.
  uint32_t sink() const {
    uint32_t to = 0;
    while (graph_.in_degree[to] == 0) ++to;
    return to;
  }

  Input input_ = make_input({8, 3});
  uint64_t digest_ = digest_of(input_.edges);
  Graph graph_;
};

TEST_F(Ssca2, ARunIsRight) {
  fill();
  EXPECT_TRUE(holds());
}

TEST_F(Ssca2, AnEdgeThatTheSortLosesIsWrong) {
  input_.edges.pop_back();
  fill();
  EXPECT_FALSE(holds());
}

TEST_F(Ssca2, AnEdgeThatTheSortDoublesForAnotherIsWrong) {
  input_.edges[7] = input_.edges[8];
  fill();
  EXPECT_FALSE(holds());
}

// A graph of fewer edges, that fits in itself.
TEST_F(Ssca2, AnEdgeThatOutListsLoseIsWrong) {
  const Input all = input_;
  const Edge lost = input_.edges[100];
  std::erase_if(input_.edges,
                [&](const Edge& edge) { return edge.from == lost.from && edge.to == lost.to; });
  fill();
  EXPECT_FALSE(is_right(graph_, all, digest_));
}

TEST_F(Ssca2, EmptyInListsAreWrong) {
  fill_out(input_, graph_);
  EXPECT_FALSE(holds());
}

TEST_F(Ssca2, InListsOfAnotherAreWrong) {
  fill();
  const uint32_t to = sink();
  const uint32_t other = graph_.in[graph_.in_starts[to]];
  graph_.in[graph_.in_starts[to]] = (other + 1) % input_.vertices;
  EXPECT_FALSE(holds());
}

TEST_F(Ssca2, ADegreeThatIsLostIsWrong) {
  fill();
  --graph_.in_degree[sink()];
  EXPECT_FALSE(holds());
}

}  // namespace
}  // namespace mmt::workloads::stm::ssca2
