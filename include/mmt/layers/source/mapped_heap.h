// Top heap: MmapHeap with a record of its blocks, so that it knows them, and gives all of them back
// when it ends. One thread may use it.
#pragma once

#include <mmt/layers/heap.h>
#include <mmt/layers/source/address_set.h>
#include <mmt/layers/source/mmap_heap.h>

namespace mmt::layers {

class MappedHeap {
 public:
  static constexpr size_t kAlignment = MmapHeap::kAlignment;
  static constexpr size_t kSkew = 0;

  MappedHeap() = default;
  ~MappedHeap() { clear(); }

  void* malloc(size_t bytes) { return allocate(bytes, kAlignment).data; }
  void free(void* block) {
    blocks_.erase(block);
    MmapHeap().free(block);
  }
  Block allocate(size_t bytes, size_t alignment) {
    const Block block = MmapHeap().allocate(bytes, alignment);
    if (block.data == nullptr || blocks_.insert(block.data)) return block;
    MmapHeap().free(block.data);
    return {};
  }

  size_t get_size(const void* block) const { return MmapHeap().get_size(block); }
  size_t good_size(size_t bytes) const { return MmapHeap().good_size(bytes); }
  // It works as MmapHeap's.
  void* remap(void* block, size_t bytes) {
    blocks_.erase(block);
    void* moved = MmapHeap().remap(block, bytes);
    // There is room: one has just been taken out.
    static_cast<void>(blocks_.insert(moved != nullptr ? moved : block));
    return moved;
  }
  bool owns(const void* address) const {
    const void* const block = blocks_.floor(address);
    return block != nullptr && address < static_cast<const char*>(block) + get_size(block);
  }
  void clear() {
    blocks_.for_each([](const void* block) { MmapHeap().free(const_cast<void*>(block)); });
    blocks_.forget();
  }

 private:
  AddressSet blocks_;
};

}  // namespace mmt::layers
