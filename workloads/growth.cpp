// growth: a heap that only grows. A binary tree, hash maps and vectors are filled and stay alive.
// Metrics: build_tree, fill_maps, append_vectors, total (seconds).
// What is timed is allocation and the first write to it; the checks run after the clock stopped.
#include <cstdint>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/clock.h"
#include "common/flags.h"
#include "common/report.h"

namespace {

using namespace mmt::workloads;

constexpr const char* kProgram = "growth";

struct Node {
  Node* left;
  Node* right;
  uint64_t key;
};

// Keys follow the order of allocation, so no node is ever searched for.
Node* build(uint64_t count, uint64_t* next_key) {
  if (count == 0) return nullptr;
  Node* node = new Node;
  node->key = (*next_key)++;
  uint64_t left = (count - 1) / 2;
  node->left = build(left, next_key);
  node->right = build(count - 1 - left, next_key);
  return node;
}

uint64_t sum(const Node* node) {
  if (node == nullptr) return 0;
  return node->key + sum(node->left) + sum(node->right);
}

double build_tree(uint64_t nodes) {
  Stopwatch watch;
  uint64_t next_key = 0;
  Node* root = build(nodes, &next_key);
  double passed = watch.lap();
  require(next_key == nodes && sum(root) == nodes * (nodes - 1) / 2, kProgram, "sum of the tree");
  return passed;
}

// 24 bytes and more: never held inside the string object.
std::string name_of(uint64_t index) {
  char text[40];
  int size =
      std::snprintf(text, sizeof text, "entry-%018llu", static_cast<unsigned long long>(index));
  return std::string(text, static_cast<size_t>(size));
}

// The texts are made before the clock starts; copying one into the map is an allocation and a move
// of a few words.
class Names {
 public:
  explicit Names(uint64_t count) {
    names_.reserve(count);
    for (uint64_t i = 0; i < count; ++i) names_.push_back(name_of(i));
  }
  const std::string& operator[](uint64_t index) const { return names_[index]; }
  uint64_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_;
};

double fill_maps(uint64_t entries) {
  constexpr uint64_t kDistinctNames = 1 << 10;
  static const Names names(entries < kDistinctNames ? entries : kDistinctNames);
  Stopwatch watch;
  auto& numbers = *new std::unordered_map<uint64_t, uint64_t>;
  for (uint64_t i = 0; i < entries; ++i) numbers.emplace(i, i * 3);
  // Many small maps rather than one: the time goes to nodes and strings, not to cache misses of
  // one huge table.
  uint64_t map_count = entries / names.size() + 1;
  auto& texts = *new std::vector<std::unordered_map<std::string, std::string>>(map_count);
  for (uint64_t i = 0; i < entries / 2; ++i) {
    const std::string& name = names[i % names.size()];
    texts[i / names.size()].emplace(name, name);
  }
  double passed = watch.lap();

  uint64_t total = 0;
  for (const auto& [key, value] : numbers) total += value - key;
  require(numbers.size() == entries && total == entries * (entries - 1), kProgram,
          "sum of the map of numbers");
  uint64_t found = 0;
  for (const auto& map : texts) found += map.size();
  for (const auto& [key, value] : texts.front()) found += key != value;
  require(found == entries / 2, kProgram, "texts in the maps of strings");
  return passed;
}

double append_vectors(uint64_t vectors, uint64_t elements) {
  constexpr uint64_t kBurst = 16;
  Stopwatch watch;
  auto& all = *new std::vector<std::vector<uint64_t>>(vectors);
  for (uint64_t done = 0; done < elements; done += kBurst) {
    for (auto& one : all) {
      for (uint64_t i = done; i < done + kBurst && i < elements; ++i) one.push_back(i);
    }
  }
  double passed = watch.lap();

  uint64_t total = 0;
  for (const auto& one : all) {
    for (uint64_t value : one) total += value;
  }
  require(total == vectors * (elements * (elements - 1) / 2), kProgram, "sum of the vectors");
  return passed;
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  auto only = flags.text("only", "all", {"all", "tree", "maps", "vectors"});
  uint64_t nodes = flags.number("nodes", 16'000'000);
  uint64_t entries = flags.number("entries", 4'000'000);
  uint64_t vectors = flags.number("vectors", 200'000);
  uint64_t elements = flags.number("elements", 128);
  flags.finish();

  Report report(kProgram);
  double total = 0;
  auto note = [&](const char* key, double seconds) {
    report.add(key, seconds, "s");
    total += seconds;
  };
  if (only == "all" || only == "tree") note("build_tree", build_tree(nodes));
  if (only == "all" || only == "maps") note("fill_maps", fill_maps(entries));
  if (only == "all" || only == "vectors") note("append_vectors", append_vectors(vectors, elements));
  report.add("total", total, "s");
  return report.finish();
}
