// treeadd: builds a binary tree of so many levels, a malloc a node, and sums its values by
// recursion (Olden). Checks that the sum is the number of nodes, in every walk.
#include <cstdint>
#include <cstdlib>

#include "base/fail.h"
#include "base/memory.h"
#include "base/output.h"
#include "common/clock.h"
#include "common/flags.h"
#include "common/report.h"

namespace {

using namespace mmt::workloads;
using namespace mmt::workloads::classic;

constexpr const char* kProgram = "treeadd";
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
  name_program(kProgram);
  Flags flags(kProgram, argc, argv);
  const bool small = flags.given("small");
  const bool plain = flags.given("plain");
  const bool frees = flags.given("free");  // the original leaves its tree to the system
  const uint64_t levels = flags.number("levels", small ? 12 : 24);
  const uint64_t walks = flags.number("walks", 1);
  flags.finish();
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

  if (plain) return 0;
  Report report(kProgram);
  report.add("build", built, "s");
  report.add("walk", walked, "s");
  report.add("free", freed, "s");
  return report.finish();
}
