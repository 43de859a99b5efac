// placed: the lists of `rebuild --shape lists`, with nodes that the program places itself, without
// any allocator. Shows what the places alone do to a walk: docs/known_gaps.md uses it.
// Metric: walk, the mean of ten (seconds).
#include <cstdint>

#include "common/clock.h"
#include "common/flags.h"
#include "common/report.h"
#include "common/table.h"

namespace {

using namespace mmt::workloads;

constexpr const char* kProgram = "placed";
constexpr uint64_t kLists = 1000;
constexpr int kWalks = 10;

struct Node {
  Node* left;
  Node* right;
  uint64_t key;
};

uint64_t sum(const Table<Node*>& heads) {
  uint64_t total = 0;
  for (const Node* head : heads) {
    for (const Node* node = head; node != nullptr; node = node->right) total += node->key;
  }
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  uint64_t nodes = flags.number("nodes", 2'000'000);
  uint64_t stride = flags.number("stride", 32);  // bytes from one node to the next
  uint64_t offset = flags.number("offset", 0);   // bytes before the first node
  uint64_t hole = flags.number("hole", 0);       // one place left free after so many; 0: none
  flags.finish();
  constexpr uint64_t kMostNodes = uint64_t{1} << 32;
  constexpr uint64_t kFarthest = uint64_t{1} << 20;
  require(nodes <= kMostNodes, kProgram, "--nodes is at most 4G");
  require(stride >= sizeof(Node) && stride <= kFarthest && stride % alignof(Node) == 0, kProgram,
          "--stride is 24 to 1M, in steps of 8");
  require(offset <= kFarthest && offset % alignof(Node) == 0, kProgram,
          "--offset is at most 1M, in steps of 8");

  uint64_t places = nodes + (hole == 0 ? 0 : nodes / hole);
  Table<unsigned char> memory(offset + places * stride);
  Table<Node*> heads(kLists);
  for (uint64_t i = 0; i < nodes; ++i) {
    uint64_t place = i + (hole == 0 ? 0 : i / hole);
    auto* node = reinterpret_cast<Node*>(&memory[offset + place * stride]);
    Node*& head = heads[i % kLists];
    *node = {nullptr, head, i};
    head = node;
  }

  Stopwatch watch;
  uint64_t total = 0;
  for (int walk = 0; walk < kWalks; ++walk) {
    total += sum(heads);
    asm volatile("" ::: "memory");  // Or the compiler would walk once and multiply.
  }
  double seconds = watch.lap() / kWalks;
  require(total == kWalks * (nodes * (nodes - 1) / 2), kProgram, "sum of the lists");

  Report report(kProgram);
  report.add("walk", seconds, "s");
  return report.finish();
}
