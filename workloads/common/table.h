// An array of the workload's own that does not come from the allocator under test: mapped
// directly and faulted in before any clock starts. T must be trivial; elements start as zero.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace mmt::workloads {

template <typename T>
class Table {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Table(uint64_t count) : count_(count) {
    void* memory = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    data_ = static_cast<T*>(memory);
  }
  ~Table() { ::munmap(data_, bytes()); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  T& operator[](uint64_t index) { return data_[index]; }
  const T& operator[](uint64_t index) const { return data_[index]; }
  T* begin() { return data_; }
  T* end() { return data_ + count_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + count_; }
  uint64_t size() const { return count_; }

 private:
  size_t bytes() const { return (count_ == 0 ? 1 : count_) * sizeof(T); }

  uint64_t count_;
  T* data_;
};

}  // namespace mmt::workloads
