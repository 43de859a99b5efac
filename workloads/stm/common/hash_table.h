// Hash tables of sorted chains, one list a bucket. An insert of a pair allocates the pair and its
// node, 16 bytes each.
#pragma once

#include <cstddef>
#include <cstdint>

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

// A set of pairs: a table whose buckets are followed by one that stays empty, which ends a walk
// over all of them.
using Hash = uint64_t (*)(const void* key);

struct PairSet {
  List** buckets;
  size_t count;  // without the last one
  Hash hash;
  Compare compare;  // of pairs
  List* last;       // the bucket that stays empty
};
static_assert(sizeof(PairSet) == 40);

template <class Tx>
PairSet* set_create(Tx& tx, size_t buckets, Hash hash, Compare compare) {
  PairSet* const set = static_cast<PairSet*>(tx.allocate(sizeof(PairSet)));
  List** const lists = static_cast<List**>(tx.allocate((buckets + 1) * sizeof(List*)));
  for (size_t i = 0; i <= buckets; ++i) lists[i] = list_create(tx, compare);
  *set = {lists, buckets, hash, compare, lists[buckets]};
  return set;
}

// False when the key is there.
template <class Tx>
bool set_insert(Tx& tx, PairSet* set, void* key, void* value) {
  List* const bucket = set->buckets[set->hash(key) % set->count];
  Pair sought{key, nullptr};
  if (list_find(tx, bucket, &sought) != nullptr) return false;
  Pair* const pair = static_cast<Pair*>(tx.allocate(sizeof(Pair)));
  *pair = {key, value};
  return list_insert(tx, bucket, pair);
}

template <class Tx>
void set_destroy(Tx& tx, PairSet* set) {
  for (List** bucket = set->buckets; *bucket != set->last; ++bucket) {
    for (ListNode* node = (*bucket)->head.next; node != nullptr; node = node->next) {
      tx.free(node->data, sizeof(Pair));
    }
    list_destroy(tx, *bucket);
  }
  list_destroy(tx, set->last);
  tx.free(set->buckets, (set->count + 1) * sizeof(List*));
  tx.free(set, sizeof(PairSet));
}

template <class Tx>
void table_destroy(Tx& tx, HashTable* table) {
  for (size_t i = 0; i < table->count; ++i) list_destroy(tx, table->buckets[i]);
  tx.free(table->buckets, table->count * sizeof(List*));
  tx.free(table, sizeof(HashTable));
}

}  // namespace mmt::workloads::stm
