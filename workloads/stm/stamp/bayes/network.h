// The network that is learned: for each variable the list of its parents and that of its children,
// which transactions change. At most 64 variables.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "stm/common/list.h"
#include "stm/common/world.h"

namespace mmt::workloads::stm::bayes {

// A variable in a list: its number.
inline void* to_data(size_t variable) { return reinterpret_cast<void*>(uintptr_t{variable}); }
inline size_t to_variable(const void* data) { return reinterpret_cast<uintptr_t>(data); }

class Network {
 public:
  explicit Network(size_t variables) : nodes_(variables) {
    Plain plain;
    for (Node& node : nodes_) {
      node = {list_create(plain, compare_addresses), list_create(plain, compare_addresses)};
    }
  }
  ~Network() {
    Plain plain;
    for (Node& node : nodes_) {
      list_destroy(plain, node.parents);
      list_destroy(plain, node.children);
    }
  }
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  size_t size() const { return nodes_.size(); }

  template <class Tx>
  size_t parents(Tx& tx, size_t of) {
    return static_cast<size_t>(tx.read(nodes_[of].parents->size));
  }
  template <class Tx>
  bool has_edge(Tx& tx, size_t from, size_t to) {
    // A list's null is also variable 0.
    ListNode* const node = tx.read(list_before(tx, nodes_[to].parents, to_data(from))->next);
    return node != nullptr && to_variable(tx.read(node->data)) == from;
  }
  // Sorted.
  template <class Tx, class Visit>
  void visit_parents(Tx& tx, size_t of, Visit&& visit) {
    ListNode* node = tx.read(nodes_[of].parents->head.next);
    for (; node != nullptr; node = tx.read(node->next)) visit(to_variable(tx.read(node->data)));
  }

  template <class Tx>
  void insert(Tx& tx, size_t from, size_t to) {
    list_insert(tx, nodes_[to].parents, to_data(from));
    list_insert(tx, nodes_[from].children, to_data(to));
  }
  template <class Tx>
  void remove(Tx& tx, size_t from, size_t to) {
    list_remove(tx, nodes_[to].parents, to_data(from));
    list_remove(tx, nodes_[from].children, to_data(to));
  }

  // Whether edges lead from `from` to `to`; `but_direct`: others than the one between them.
  template <class Tx>
  bool has_path(Tx& tx, size_t from, size_t to, bool but_direct = false) {
    uint64_t open = uint64_t{1} << from;
    uint64_t seen = open;
    while (open != 0) {
      const size_t here = static_cast<size_t>(std::countr_zero(open));
      open &= open - 1;
      if (here == to) return true;
      ListNode* node = tx.read(nodes_[here].children->head.next);
      for (; node != nullptr; node = tx.read(node->next)) {
        const size_t child = to_variable(tx.read(node->data));
        if (but_direct && here == from && child == to) continue;
        const uint64_t bit = uint64_t{1} << child;
        if ((seen & bit) == 0) open |= bit;
        seen |= bit;
      }
    }
    return false;
  }

 private:
  struct Node {
    List* parents;
    List* children;
  };

  std::vector<Node> nodes_;
};

}  // namespace mmt::workloads::stm::bayes
