// A vector of pointers whose storage doubles: header 24 bytes. A push into full storage allocates.
#pragma once

#include <cstddef>

namespace mmt::workloads::stm {

struct Vector {
  size_t size;
  size_t capacity;
  void** elements;
};
static_assert(sizeof(Vector) == 24);

// `capacity` is at least 1.
template <class Tx>
Vector* vector_create(Tx& tx, size_t capacity) {
  Vector* const vector = static_cast<Vector*>(tx.allocate(sizeof(Vector)));
  *vector = {0, capacity, static_cast<void**>(tx.allocate(capacity * sizeof(void*)))};
  return vector;
}

template <class Tx>
void vector_push(Tx& tx, Vector* vector, void* data) {
  const size_t size = tx.read(vector->size);
  const size_t capacity = tx.read(vector->capacity);
  void** elements = tx.read(vector->elements);
  if (size == capacity) {
    void** const wider = static_cast<void**>(tx.allocate(2 * capacity * sizeof(void*)));
    for (size_t i = 0; i < size; ++i) wider[i] = tx.read(elements[i]);
    tx.free(elements, capacity * sizeof(void*));
    elements = wider;
    tx.write(vector->elements, elements);
    tx.write(vector->capacity, 2 * capacity);
  }
  tx.write(elements[size], data);
  tx.write(vector->size, size + 1);
}

// The last one, or null when it is empty.
template <class Tx>
void* vector_pop(Tx& tx, Vector* vector) {
  const size_t size = tx.read(vector->size);
  if (size == 0) return nullptr;
  tx.write(vector->size, size - 1);
  return tx.read(tx.read(vector->elements)[size - 1]);
}

// `at` is below the size.
template <class Tx>
void* vector_at(Tx& tx, const Vector* vector, size_t at) {
  return tx.read(tx.read(vector->elements)[at]);
}

template <class Tx>
void vector_clear(Tx& tx, Vector* vector) {
  tx.write(vector->size, 0);
}

// Storage and header; the data are the caller's.
template <class Tx>
void vector_destroy(Tx& tx, Vector* vector) {
  tx.free(tx.read(vector->elements), tx.read(vector->capacity) * sizeof(void*));
  tx.free(vector, sizeof(Vector));
}

}  // namespace mmt::workloads::stm
