// A sorted list without duplicates: header 32 bytes, node 16. An insert and a remove write the link
// before and the size. `compare` says below 0, 0 or above; data keep what it looks at.
#pragma once

#include <cstdint>
#include <functional>

namespace mmt::workloads::stm {

using Compare = long (*)(const void* left, const void* right);

inline long compare_addresses(const void* left, const void* right) {
  if (left == right) return 0;
  return std::less<>()(left, right) ? -1 : 1;
}

struct ListNode {
  void* data;
  ListNode* next;
};

struct List {
  ListNode head;  // its data are none
  Compare compare;
  long size;
};
static_assert(sizeof(List) == 32 && sizeof(ListNode) == 16);

template <class Tx>
List* list_create(Tx& tx, Compare compare) {
  List* const list = static_cast<List*>(tx.allocate(sizeof(List)));
  *list = {{nullptr, nullptr}, compare, 0};
  return list;
}

// The last node whose data are below, or the head.
template <class Tx>
ListNode* list_before(Tx& tx, List* list, const void* data) {
  ListNode* before = &list->head;
  for (ListNode* node = tx.read(before->next); node != nullptr; node = tx.read(node->next)) {
    if (list->compare(tx.read(node->data), data) >= 0) break;
    before = node;
  }
  return before;
}

template <class Tx>
void* list_find(Tx& tx, List* list, const void* data) {
  ListNode* const node = tx.read(list_before(tx, list, data)->next);
  if (node == nullptr) return nullptr;
  void* const found = tx.read(node->data);
  return list->compare(found, data) == 0 ? found : nullptr;
}

// False when an equal one is there.
template <class Tx>
bool list_insert(Tx& tx, List* list, void* data) {
  ListNode* const before = list_before(tx, list, data);
  ListNode* const next = tx.read(before->next);
  if (next != nullptr && list->compare(tx.read(next->data), data) == 0) return false;
  ListNode* const node = static_cast<ListNode*>(tx.allocate(sizeof(ListNode)));
  *node = {data, next};
  tx.write(before->next, node);
  tx.write(list->size, tx.read(list->size) + 1);
  return true;
}

// What was removed, or null.
template <class Tx>
void* list_remove(Tx& tx, List* list, const void* data) {
  ListNode* const before = list_before(tx, list, data);
  ListNode* const node = tx.read(before->next);
  if (node == nullptr) return nullptr;
  void* const found = tx.read(node->data);
  if (list->compare(found, data) != 0) return nullptr;
  tx.write(before->next, tx.read(node->next));
  tx.free(node, sizeof(ListNode));
  tx.write(list->size, tx.read(list->size) - 1);
  return found;
}

template <class Tx>
void list_free_nodes(Tx& tx, List* list) {
  ListNode* node = tx.read(list->head.next);
  while (node != nullptr) {
    ListNode* const next = tx.read(node->next);
    tx.free(node, sizeof(ListNode));
    node = next;
  }
}

// Looks at no data: they may be gone.
template <class Tx>
void list_clear(Tx& tx, List* list) {
  list_free_nodes(tx, list);
  tx.write(list->head.next, nullptr);
  tx.write(list->size, 0);
}

// Nodes and header; the data are the caller's.
template <class Tx>
void list_destroy(Tx& tx, List* list) {
  list_free_nodes(tx, list);
  tx.free(list, sizeof(List));
}

}  // namespace mmt::workloads::stm
