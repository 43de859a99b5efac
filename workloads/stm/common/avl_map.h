// A map as an AVL tree of pairs: an insert allocates the pair, 16 bytes, and its node, 32. The
// comparison that it is created with takes keys, as Pair's first member.
#pragma once

#include "stm/common/avl_tree.h"
#include "stm/common/hash_table.h"

namespace mmt::workloads::stm {

// Null when there is none. The pair is the map's; its value may be read.
template <class Tx>
Pair* map_find(Tx& tx, AvlTree* map, void* key) {
  const Pair sought{key, nullptr};
  return static_cast<Pair*>(avl_find(tx, map, &sought));
}

// False when the key is there.
template <class Tx>
bool map_insert(Tx& tx, AvlTree* map, void* key, void* value) {
  Pair* const pair = static_cast<Pair*>(tx.allocate(sizeof(Pair)));
  *pair = {key, value};
  if (avl_insert(tx, map, pair)) return true;
  tx.free(pair, sizeof(Pair));
  return false;
}

// False when the key is not there.
template <class Tx>
bool map_remove(Tx& tx, AvlTree* map, void* key) {
  const Pair sought{key, nullptr};
  void* const pair = avl_remove(tx, map, &sought);
  tx.free(pair, sizeof(Pair));
  return pair != nullptr;
}

template <class Tx>
void map_destroy_below(Tx& tx, AvlNode* node) {
  if (node == nullptr) return;
  map_destroy_below(tx, tx.read(node->child[0]));
  map_destroy_below(tx, tx.read(node->child[1]));
  tx.free(tx.read(node->data), sizeof(Pair));
  tx.free(node, sizeof(AvlNode));
}

// Pairs, nodes and header; keys and values are the caller's.
template <class Tx>
void map_destroy(Tx& tx, AvlTree* map) {
  map_destroy_below(tx, tx.read(map->root));
  tx.free(map, sizeof(AvlTree));
}

}  // namespace mmt::workloads::stm
