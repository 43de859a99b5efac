// A hash table of sorted chains, one list a bucket. An insert of a pair allocates the pair and its
// node, 16 bytes each.
#pragma once

#include <cstddef>

#include "stm/common/list.h"

namespace mmt::workloads::stm {

struct Pair {
  void* key;
  void* value;
};
static_assert(sizeof(Pair) == 16);

struct HashTable {
  List** buckets;
  size_t count;
};

template <class Tx>
HashTable* table_create(Tx& tx, size_t buckets, Compare compare) {
  HashTable* const table = static_cast<HashTable*>(tx.allocate(sizeof(HashTable)));
  *table = {static_cast<List**>(tx.allocate(buckets * sizeof(List*))), buckets};
  for (size_t i = 0; i < buckets; ++i) table->buckets[i] = list_create(tx, compare);
  return table;
}

// The lists' data as they are, without pairs. False when an equal one is there.
template <class Tx>
bool table_insert(Tx& tx, HashTable* table, size_t hash, void* data) {
  return list_insert(tx, table->buckets[hash % table->count], data);
}

// Of a table whose `compare` takes pairs.
template <class Tx>
bool table_insert_pair(Tx& tx, HashTable* table, size_t hash, void* key, void* value) {
  List* const bucket = table->buckets[hash % table->count];
  Pair sought{key, nullptr};
  if (list_find(tx, bucket, &sought) != nullptr) return false;
  Pair* const pair = static_cast<Pair*>(tx.allocate(sizeof(Pair)));
  *pair = {key, value};
  return list_insert(tx, bucket, pair);
}

template <class Tx>
void table_destroy(Tx& tx, HashTable* table) {
  for (size_t i = 0; i < table->count; ++i) list_destroy(tx, table->buckets[i]);
  tx.free(table->buckets, table->count * sizeof(List*));
  tx.free(table, sizeof(HashTable));
}

}  // namespace mmt::workloads::stm
