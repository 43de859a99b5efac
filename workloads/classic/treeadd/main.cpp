// treeadd: builds a binary tree of so many levels, a malloc a node, and sums its values by
// recursion (Olden). Checks that the sum is the number of nodes, in every walk.
#include <cstdint>
#include <cstdlib>

#include "base/fail.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/program.h"
#include "common/clock.h"

namespace {

using namespace mmt::workloads;
using namespace mmt::workloads::classic;

constexpr uint64_t kMostLevels = 34;

struct Node {
  int64_t value;
  Node* left;
  Node* right;
};

Node* build(uint64_t levels) {
  auto* node = static_cast<Node*>(allocate(sizeof(Node)));
  node->value = 1;
  node->left = levels == 1 ? nullptr : build(levels - 1);
  node->right = levels == 1 ? nullptr : build(levels - 1);
  return node;
}

int64_t sum(const Node* node) {
  if (node == nullptr) return 0;
  const int64_t left = sum(node->left);
  return left + sum(node->right) + node->value;
}

void destroy(Node* node) {
  if (node == nullptr) return;
  destroy(node->left);
  destroy(node->right);
  std::free(node);
}

}  // namespace

int main(int argc, char** argv) {
  Program program("treeadd", argc, argv);
  const bool frees = program.frees();
  const uint64_t levels = program.number("levels", program.small ? 12 : 24);
  const uint64_t walks = program.number("walks", 1);
  program.finish();
  if (levels < 1 || levels > kMostLevels) bad_input("--levels: 1 to %zu", size_t{kMostLevels});
  if (walks < 1) bad_input("--walks: at least one");

  Stopwatch watch;
  Node* root = build(levels);
  const double built = watch.lap();
  const int64_t nodes = (int64_t{1} << levels) - 1;
  for (uint64_t i = 0; i < walks; ++i)
    check(sum(root) == nodes, "the sum is not the number of nodes");
  const double walked = watch.lap();
  if (frees) destroy(root);
  const double freed = watch.lap();
  Output output;
  output.print("%lld nodes\n", static_cast<long long>(nodes));
  output.flush();

  return program.report({seconds("build", built), seconds("walk", walked), seconds("free", freed)});
}
