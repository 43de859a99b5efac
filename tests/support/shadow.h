// Shadow map of live blocks: add() fails the test when a block overlaps one that lives. Its nodes
// come from mmap, never from the allocator under test. Not thread-safe.
#pragma once

#include <malloc.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

#include "support/expect.h"

namespace shadow {

// Minimal: single-node allocations from a bump region with one free list.
template <class T>
struct MmapAllocator {
  using value_type = T;
  MmapAllocator() = default;
  template <class U>
  MmapAllocator(const MmapAllocator<U>&) {}  // NOLINT: conversion is the allocator protocol

  T* allocate(std::size_t) {
    if (free_ != nullptr) {
      Node* n = free_;
      free_ = n->next;
      return reinterpret_cast<T*>(n);
    }
    if (left_ == 0) {
      left_ = 16384;
      void* m = mmap(nullptr, left_ * sizeof(Node), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      EXPECT(m != MAP_FAILED);
      bump_ = static_cast<Node*>(m);
    }
    --left_;
    return reinterpret_cast<T*>(bump_++);
  }
  void deallocate(T* p, std::size_t) {
    auto* n = reinterpret_cast<Node*>(p);
    n->next = free_;
    free_ = n;
  }
  bool operator==(const MmapAllocator&) const { return true; }

 private:
  union Node {
    Node* next;
    alignas(T) char bytes[sizeof(T)];
  };
  static inline Node* free_ = nullptr;
  static inline Node* bump_ = nullptr;
  static inline std::size_t left_ = 0;
};

class Map {
 public:
  // Registers [p, p + max(size, usable)): a program may use all of its usable size.
  void add(void* p, std::size_t size) {
    auto begin = reinterpret_cast<std::uintptr_t>(p);
    std::size_t usable = malloc_usable_size(p);
    EXPECT(usable >= size, "block %p size %zu usable %zu", p, size, usable);
    std::size_t extent = usable > 0 ? usable : 1;
    auto next = live_.lower_bound(begin);
    EXPECT(next == live_.end() || begin + extent <= next->first, "block %p size %zu runs into %p",
           p, size, reinterpret_cast<void*>(next->first));
    if (next != live_.begin()) {
      auto before = std::prev(next);
      EXPECT(before->first + before->second <= begin, "block %p size %zu lies in %p (%zu)", p, size,
             reinterpret_cast<void*>(before->first), before->second);
    }
    live_.emplace_hint(next, begin, extent);
    bytes_ += extent;
  }
  void remove(void* p) {
    auto it = live_.find(reinterpret_cast<std::uintptr_t>(p));
    EXPECT(it != live_.end(), "block %p was never added", p);
    bytes_ -= it->second;
    live_.erase(it);
  }
  std::size_t count() const { return live_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  using Pair = std::pair<const std::uintptr_t, std::size_t>;
  std::map<std::uintptr_t, std::size_t, std::less<std::uintptr_t>, MmapAllocator<Pair>> live_;
  std::size_t bytes_ = 0;
};

}  // namespace shadow
