// A growing array holds trivial elements in one heap block. It is for programs that are linked
// without the C++ library. The start-up of that library allocates a block larger than some of them
// ever use.
// Growing moves the elements: addresses into the array do not survive add().
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "base/memory.h"

namespace mmt::workloads::classic {

template <typename T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  ~Array() { std::free(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T& operator[](size_t index) { return data_[index]; }
  const T& operator[](size_t index) const { return data_[index]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& last() { return data_[size_ - 1]; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  void add(const T& element) {
    T copy = element;  // It may lie in the block that moves.
    if (size_ == capacity_) reserve(capacity_ == 0 ? kFirst : capacity_ * 2);
    data_[size_++] = copy;
  }
  T take_last() { return data_[--size_]; }
  // Keeps the first `size` elements; `size` is not above size().
  void shrink(size_t size) { size_ = size; }

  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    T* larger = allocate_array<T>(capacity);
    if (size_ > 0) std::memcpy(static_cast<void*>(larger), data_, size_ * sizeof(T));
    std::free(data_);
    data_ = larger;
    capacity_ = capacity;
  }

 private:
  static constexpr size_t kFirst = 8;

  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace mmt::workloads::classic
