// An AD-tree tells how many records hold a combination of values, for each combination. A node
// stands for values of some variables, and has for each later variable a "vary" with a child a
// value. The child of the value that most of the node's records have is left out. Its count would
// be what the node counts without that variable, less the other child. The tree is only read once
// it is made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "stm/common/vector.h"
#include "stm/common/world.h"

namespace mmt::workloads::stm::bayes {

struct AdNode {
  int64_t variable;  // the last that the node fixes, or -1
  int64_t value;
  int64_t count;
  Vector* varies;
};

struct AdVary {
  int64_t variable;
  int64_t most_common;
  AdNode* child[2];  // null: no record, or the most common
};
static_assert(sizeof(AdNode) == 32 && sizeof(AdVary) == 32);

// A variable and its value.
struct Query {
  int64_t variable;
  int64_t value;
};

class AdTree {
 public:
  AdTree(size_t variables, std::span<uint32_t> records)
      : variables_(static_cast<int64_t>(variables)), root_(make(-1, 0, records)) {}
  ~AdTree() { destroy(root_); }
  AdTree(const AdTree&) = delete;
  AdTree& operator=(const AdTree&) = delete;

  // This counts the records that hold all of `queries`, which are sorted by variable.
  int64_t count(Vector* queries) const { return count_from(root_, queries, 0); }

 private:
  AdNode* make(int64_t variable, int64_t value, std::span<uint32_t> records) {
    Plain plain;
    AdNode* const node = static_cast<AdNode*>(plain.allocate(sizeof(AdNode)));
    *node = {variable, value, static_cast<int64_t>(records.size()), vector_create(plain, 1)};
    for (int64_t next = variable + 1; next < variables_; ++next) {
      // Those with a 0 to the front; any order will do.
      const auto ones = std::partition(records.begin(), records.end(),
                                       [&](uint32_t record) { return (record >> next & 1) == 0; });
      const size_t zeros = static_cast<size_t>(ones - records.begin());
      const int64_t most_common = zeros < records.size() - zeros ? 1 : 0;
      const std::span<uint32_t> rest =
          most_common == 0 ? records.subspan(zeros) : records.first(zeros);
      AdVary* const vary = static_cast<AdVary*>(plain.allocate(sizeof(AdVary)));
      *vary = {next, most_common, {nullptr, nullptr}};
      if (!rest.empty()) vary->child[1 - most_common] = make(next, 1 - most_common, rest);
      vector_push(plain, node->varies, vary);
    }
    return node;
  }

  static void destroy(AdNode* node) {
    if (node == nullptr) return;
    Plain plain;
    for (size_t i = 0; i < node->varies->size; ++i) {
      AdVary* const vary = static_cast<AdVary*>(node->varies->elements[i]);
      for (AdNode* child : vary->child) destroy(child);
      plain.free(vary);
    }
    vector_destroy(plain, node->varies);
    plain.free(node);
  }

  // Below `node`, which fixes no variable of queries[at] or later.
  static int64_t count_from(const AdNode* node, Vector* queries, size_t at) {
    if (node == nullptr) return 0;
    if (at == queries->size) return node->count;
    const Query& query = *static_cast<const Query*>(queries->elements[at]);
    const AdVary& vary =
        *static_cast<const AdVary*>(node->varies->elements[query.variable - node->variable - 1]);
    if (query.value != vary.most_common) {
      return count_from(vary.child[query.value], queries, at + 1);
    }
    Plain plain;
    Vector* const others = vector_create(plain, queries->size);
    for (size_t i = 0; i < queries->size; ++i) {
      if (i != at) vector_push(plain, others, queries->elements[i]);
    }
    const int64_t without = count_from(node, others, at);
    vector_destroy(plain, others);
    return without - count_from(vary.child[1 - query.value], queries, at + 1);
  }

  int64_t variables_;
  AdNode* root_;
};

}  // namespace mmt::workloads::stm::bayes
