// A queue of pointers in a ring that doubles: header 32 bytes. A push into a full ring allocates.
#pragma once

#include <cstddef>

namespace mmt::workloads::stm {

struct Queue {
  size_t first;
  size_t count;
  size_t capacity;
  void** ring;
};
static_assert(sizeof(Queue) == 32);

template <class Tx>
Queue* queue_create(Tx& tx, size_t capacity) {
  Queue* const queue = static_cast<Queue*>(tx.allocate(sizeof(Queue)));
  *queue = {0, 0, capacity, static_cast<void**>(tx.allocate(capacity * sizeof(void*)))};
  return queue;
}

template <class Tx>
void queue_push(Tx& tx, Queue* queue, void* data) {
  const size_t count = tx.read(queue->count);
  size_t capacity = tx.read(queue->capacity);
  size_t first = tx.read(queue->first);
  void** ring = tx.read(queue->ring);
  if (count == capacity) {
    void** const wider = static_cast<void**>(tx.allocate(2 * capacity * sizeof(void*)));
    for (size_t i = 0; i < count; ++i) {
      const size_t at = first + i < capacity ? first + i : first + i - capacity;
      wider[i] = tx.read(ring[at]);
    }
    tx.free(ring, capacity * sizeof(void*));
    ring = wider;
    first = 0;
    capacity *= 2;
    tx.write(queue->ring, ring);
    tx.write(queue->first, first);
    tx.write(queue->capacity, capacity);
  }
  const size_t at = first + count < capacity ? first + count : first + count - capacity;
  tx.write(ring[at], data);
  tx.write(queue->count, count + 1);
}

// Null when it is empty.
template <class Tx>
void* queue_pop(Tx& tx, Queue* queue) {
  const size_t count = tx.read(queue->count);
  if (count == 0) return nullptr;
  const size_t first = tx.read(queue->first);
  void* const data = tx.read(tx.read(queue->ring)[first]);
  tx.write(queue->first, first + 1 == tx.read(queue->capacity) ? 0 : first + 1);
  tx.write(queue->count, count - 1);
  return data;
}

template <class Tx>
void queue_clear(Tx& tx, Queue* queue) {
  tx.write(queue->first, 0);
  tx.write(queue->count, 0);
}

template <class Tx>
void queue_destroy(Tx& tx, Queue* queue) {
  tx.free(tx.read(queue->ring), tx.read(queue->capacity) * sizeof(void*));
  tx.free(queue, sizeof(Queue));
}

}  // namespace mmt::workloads::stm
