// A sorted list of keys; each node is allocated and freed by the transaction at hand.
#pragma once

#include <vector>

namespace mmt::stm {

class SortedList {
 public:
  template <class Tx>
  bool insert(Tx& tx, long key) {
    Node** link = find(tx, key);
    Node* const next = tx.read(*link);
    if (next != nullptr && tx.read(next->key) == key) return false;
    tx.write(*link, tx.template create<Node>(key, next));
    return true;
  }
  template <class Tx>
  bool erase(Tx& tx, long key) {
    Node** link = find(tx, key);
    Node* const node = tx.read(*link);
    if (node == nullptr || tx.read(node->key) != key) return false;
    tx.write(*link, tx.read(node->next));
    tx.destroy(node);
    return true;
  }
  template <class Tx>
  bool contains(Tx& tx, long key) {
    Node* const node = tx.read(*find(tx, key));
    return node != nullptr && tx.read(node->key) == key;
  }
  template <class Tx>
  std::vector<long> keys(Tx& tx) {
    std::vector<long> all;
    for (Node* n = tx.read(first_); n != nullptr; n = tx.read(n->next)) {
      all.push_back(tx.read(n->key));
    }
    return all;
  }
  // Empty: nothing is wrong.
  const char* problem() const { return ""; }

 private:
  struct Node {
    Node(long k, Node* n) : key(k), next(n) {}
    long key;
    Node* next;
  };

  template <class Tx>
  Node** find(Tx& tx, long key) {
    Node** link = &first_;
    for (;;) {
      Node* const node = tx.read(*link);
      if (node == nullptr || tx.read(node->key) >= key) return link;
      link = &node->next;
    }
  }

  Node* first_ = nullptr;
};

}  // namespace mmt::stm
