// rebuild: a structure is built, walked, torn down and built again. Shows whether freed memory is
// handed out again as fast, and in as good an order, as fresh memory.
// Metrics (seconds): build, traverse, teardown of the first round, and rebuild, retraverse,
// reteardown, the means of the later rounds; retraverse_ratio is retraverse / traverse.
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "common/clock.h"
#include "common/flags.h"
#include "common/report.h"
#include "common/rng.h"
#include "common/table.h"

namespace {

using namespace mmt::workloads;

constexpr const char* kProgram = "rebuild";

struct Node {
  Node* left;
  Node* right;
  uint64_t key;
};

constexpr uint64_t kMaxNode = 200;

// Builds, in the order of allocation, a tree or bundles of lists that grow in turns.
class Builder {
 public:
  Builder(bool mixed, bool lists, uint64_t count)
      : mixed_(mixed), lists_(lists), count_(count), heads_(lists ? kLists : 1) {}

  void build(uint64_t seed) {
    rng_ = Rng(seed);
    next_key_ = 0;
    if (lists_) {
      build_lists();
    } else {
      heads_[0] = subtree(count_);
    }
  }

  uint64_t sum() const {
    if (!lists_) return sum_tree(heads_[0]);
    uint64_t total = 0;
    for (Node* head : heads_) {
      for (const Node* node = head; node != nullptr; node = node->right) total += node->key;
    }
    return total;
  }

  void teardown() {
    if (!lists_) return free_tree(heads_[0]);
    for (Node* head : heads_) {
      for (Node* node = head; node != nullptr;) {
        Node* next = node->right;
        std::free(node);
        node = next;
      }
    }
  }

  // Notes every node, to be freed in another order than the structure's.
  void collect(Table<Node*>* nodes) const {
    uint64_t count = 0;
    if (!lists_) {
      collect_tree(heads_[0], nodes, &count);
    } else {
      for (Node* head : heads_) {
        for (Node* node = head; node != nullptr; node = node->right) (*nodes)[count++] = node;
      }
    }
    require(count == count_, kProgram, "number of nodes");
  }

 private:
  // This is not a power of two. Nodes of one list a multiple of 4 KiB apart would share few cache
  // sets. The traversal would then show that instead of the allocator.
  static constexpr uint64_t kLists = 1000;

  Node* make() {
    uint64_t size = mixed_ ? rng_.between(sizeof(Node), kMaxNode) : sizeof(Node);
    auto* node = static_cast<Node*>(std::malloc(size));
    if (node == nullptr) std::abort();
    node->key = next_key_++;
    return node;
  }

  Node* subtree(uint64_t count) {
    if (count == 0) return nullptr;
    Node* node = make();
    uint64_t left = (count - 1) / 2;
    node->left = subtree(left);
    node->right = subtree(count - 1 - left);
    return node;
  }

  void build_lists() {
    for (Node*& head : heads_) head = nullptr;
    for (uint64_t i = 0; i < count_; ++i) {
      Node* node = make();
      Node*& head = heads_[i % kLists];
      node->left = nullptr;
      node->right = head;
      head = node;
    }
  }

  static uint64_t sum_tree(const Node* node) {
    if (node == nullptr) return 0;
    return node->key + sum_tree(node->left) + sum_tree(node->right);
  }

  static void free_tree(Node* node) {
    if (node == nullptr) return;
    free_tree(node->left);
    free_tree(node->right);
    std::free(node);
  }

  static void collect_tree(Node* node, Table<Node*>* nodes, uint64_t* count) {
    if (node == nullptr) return;
    (*nodes)[(*count)++] = node;
    collect_tree(node->left, nodes, count);
    collect_tree(node->right, nodes, count);
  }

  bool mixed_;
  bool lists_;
  uint64_t count_;
  uint64_t next_key_ = 0;
  Rng rng_{1};
  Table<Node*> heads_;
};

struct Times {
  double build = 0;
  double traverse = 0;
  double teardown = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  auto shape = flags.text("shape", "tree", {"tree", "lists"});
  auto sizes = flags.text("sizes", "uniform", {"uniform", "mixed"});
  auto order = flags.text("teardown", "structure", {"structure", "scattered"});
  uint64_t nodes = flags.number("nodes", 4'000'000);
  uint64_t rounds = flags.number("rounds", 5);
  flags.finish();

  constexpr int kWalks = 2;
  bool scattered = order == "scattered";
  Builder builder(sizes == "mixed", shape == "lists", nodes);
  Table<Node*> scatter(scattered ? nodes : 1);
  Rng shuffle(7);

  auto one_round = [&](uint64_t seed) {
    Times times;
    Stopwatch watch;
    builder.build(seed);
    times.build = watch.lap();
    uint64_t total = 0;
    for (int walk = 0; walk < kWalks; ++walk) {
      total += builder.sum();
      asm volatile("" ::: "memory");  // Or the compiler would walk once and multiply.
    }
    times.traverse = watch.lap() / kWalks;
    require(total == kWalks * (nodes * (nodes - 1) / 2), kProgram, "sum of the structure");
    if (scattered) {
      builder.collect(&scatter);
      for (uint64_t i = nodes - 1; i > 0; --i) std::swap(scatter[i], scatter[shuffle.below(i + 1)]);
      watch.lap();
      for (Node* node : scatter) std::free(node);
    } else {
      watch.lap();
      builder.teardown();
    }
    times.teardown = watch.lap();
    return times;
  };

  Times first = one_round(1);
  Times later;
  for (uint64_t round = 0; round < rounds; ++round) {
    Times times = one_round(2 + round);
    later.build += times.build / static_cast<double>(rounds);
    later.traverse += times.traverse / static_cast<double>(rounds);
    later.teardown += times.teardown / static_cast<double>(rounds);
  }

  Report report(kProgram);
  report.add("build", first.build, "s");
  report.add("traverse", first.traverse, "s");
  report.add("teardown", first.teardown, "s");
  if (rounds > 0) {
    report.add("rebuild", later.build, "s");
    report.add("retraverse", later.traverse, "s");
    report.add("reteardown", later.teardown, "s");
    report.add("retraverse_ratio", later.traverse / first.traverse, "ratio");
  }
  return report.finish();
}
