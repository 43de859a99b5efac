// A class whose objects come from a heap of their own (the paper's section 3.1):
//
//     struct Node : PerClassHeap<NodeData, FreelistHeap<MallocHeap>> {};
//
// One heap for each such base, made at the first use and never ended; classes derived from it share
// it. If it serves one size, objects of another size than the base, of greater alignment, and
// arrays come from the program's operator new. Out of memory the new-handler runs, and
// std::bad_alloc is thrown, as usual; there is no new (std::nothrow), whose delete would not know
// the size. It is as thread-safe as the heap.
#pragma once

#include <new>

#include <mmt/core/compiler.h>
#include <mmt/layers/adapt/unique_heap.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class Object, class H>
class PerClassHeap : public Object {
  static_assert(FullyAlignedHeap<H>,
                "PerClassHeap: the blocks of its heap are not aligned for any type");

 public:
  using Object::Object;

  static H& heap() { return UniqueHeap<H, PerClassHeap>().target(); }

  static void* operator new(size_t bytes) {
    if (!is_served(bytes)) return ::operator new(bytes);
    void* block = heap().malloc(bytes);
    return MMT_LIKELY(block != nullptr) ? block : retry([=] { return heap().malloc(bytes); });
  }
  static void operator delete(void* block, size_t bytes) noexcept {
    is_served(bytes) ? give_back(block, bytes) : ::operator delete(block);
  }
  static void* operator new[](size_t bytes) {
    if constexpr (kIsOneSize<H>) return ::operator new[](bytes);
    return operator new(bytes);
  }
  // Without a size, for which arrays would need more room.
  static void operator delete[](void* block) noexcept {
    if constexpr (kIsOneSize<H>) return ::operator delete[](block);
    if (block != nullptr) heap().free(block);
  }

  static void* operator new(size_t bytes, std::align_val_t alignment) {
    if constexpr (!kIsAligning) return ::operator new(bytes, alignment);
    const auto allocate = [=] { return aligned(bytes, alignment); };
    void* block = allocate();
    return MMT_LIKELY(block != nullptr) ? block : retry(allocate);
  }
  static void operator delete(void* block, size_t bytes, std::align_val_t alignment) noexcept {
    kIsAligning ? give_back(block, bytes) : ::operator delete(block, alignment);
  }
  static void* operator new[](size_t bytes, std::align_val_t alignment) {
    if constexpr (!kIsAligning) return ::operator new[](bytes, alignment);
    return operator new(bytes, alignment);
  }
  static void operator delete[](void* block, std::align_val_t alignment) noexcept {
    if constexpr (!kIsAligning) return ::operator delete[](block, alignment);
    if (block != nullptr) heap().free(block);
  }

  // What a class with an operator new of its own would hide.
  static void* operator new(size_t, void* at) noexcept { return at; }
  static void operator delete(void*, void*) noexcept {}
  static void* operator new[](size_t, void* at) noexcept { return at; }
  static void operator delete[](void*, void*) noexcept {}

 private:
  static constexpr bool kIsAligning = AligningHeap<H> && !kIsOneSize<H>;

  static bool is_served(size_t bytes) {
    if constexpr (kIsOneSize<H>) return bytes == sizeof(PerClassHeap);
    return true;
  }
  static void* aligned([[maybe_unused]] size_t bytes, [[maybe_unused]] std::align_val_t alignment) {
    if constexpr (kIsAligning) {
      return heap().allocate(bytes, static_cast<size_t>(alignment)).data;
    }
    return nullptr;
  }
  static void give_back(void* block, [[maybe_unused]] size_t bytes) {
    if (block == nullptr) return;
    if constexpr (SizedFreeHeap<H>) {
      heap().free(block, bytes);
    } else {
      heap().free(block);
    }
  }
  template <class Attempt>
  MMT_COLD static void* retry(Attempt&& attempt) {
    while (const std::new_handler handler = std::get_new_handler()) {
      handler();
      if (void* block = attempt()) return block;
    }
    throw std::bad_alloc();
  }
};

}  // namespace mmt::layers
