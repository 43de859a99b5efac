// A binary heap of pointers, the greatest first, whose storage doubles: header 32 bytes. An insert
// into full storage allocates. `compare` says below 0, 0 or above; data keep what it looks at.
#pragma once

#include <cstddef>

#include "stm/common/list.h"

namespace mmt::workloads::stm {

struct Heap {
  void** elements;  // the children of i are 2 i + 1 and 2 i + 2
  size_t size;
  size_t capacity;
  Compare compare;
};
static_assert(sizeof(Heap) == 32);

// `capacity` is at least 1.
template <class Tx>
Heap* heap_create(Tx& tx, size_t capacity, Compare compare) {
  Heap* const heap = static_cast<Heap*>(tx.allocate(sizeof(Heap)));
  *heap = {static_cast<void**>(tx.allocate(capacity * sizeof(void*))), 0, capacity, compare};
  return heap;
}

template <class Tx>
void heap_insert(Tx& tx, Heap* heap, void* data) {
  const size_t size = tx.read(heap->size);
  const size_t capacity = tx.read(heap->capacity);
  void** elements = tx.read(heap->elements);
  if (size == capacity) {
    void** const wider = static_cast<void**>(tx.allocate(2 * capacity * sizeof(void*)));
    for (size_t i = 0; i < size; ++i) wider[i] = tx.read(elements[i]);
    tx.free(elements, capacity * sizeof(void*));
    elements = wider;
    tx.write(heap->elements, elements);
    tx.write(heap->capacity, 2 * capacity);
  }
  size_t at = size;
  while (at > 0) {
    const size_t above = (at - 1) / 2;
    void* const there = tx.read(elements[above]);
    if (heap->compare(there, data) >= 0) break;
    tx.write(elements[at], there);
    at = above;
  }
  tx.write(elements[at], data);
  tx.write(heap->size, size + 1);
}

// The greatest, or null when it is empty.
template <class Tx>
void* heap_pop(Tx& tx, Heap* heap) {
  size_t size = tx.read(heap->size);
  if (size == 0) return nullptr;
  tx.write(heap->size, --size);
  void** const elements = tx.read(heap->elements);
  void* const greatest = tx.read(elements[0]);
  if (size == 0) return greatest;
  void* const last = tx.read(elements[size]);
  size_t at = 0;
  for (size_t below = 1; below < size; below = 2 * at + 1) {
    void* child = tx.read(elements[below]);
    if (below + 1 < size) {
      void* const other = tx.read(elements[below + 1]);
      if (heap->compare(other, child) > 0) {
        child = other;
        ++below;
      }
    }
    if (heap->compare(last, child) >= 0) break;
    tx.write(elements[at], child);
    at = below;
  }
  tx.write(elements[at], last);
  return greatest;
}

// Storage and header; the data are the caller's.
template <class Tx>
void heap_destroy(Tx& tx, Heap* heap) {
  tx.free(tx.read(heap->elements), tx.read(heap->capacity) * sizeof(void*));
  tx.free(heap, sizeof(Heap));
}

}  // namespace mmt::workloads::stm
