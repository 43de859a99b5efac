// The heap that is offloaded, behind its lock: the memory thread and clients take turns. Blocks are
// asked for by class. Beside the heap's own there are those of the reserve, which come back here
// too.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/free_list.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/thread/offload/size_table.h>
#include <mmt/layers/usage.h>
#include <mmt/reentry/reserve.h>
#include <mmt/sync/try_lock.h>

namespace mmt::layers {

template <class Heap>
class Depot {
 public:
  constexpr explicit Depot(Heap& heap) : heap_(heap) {}

  sync::TryLock<>& lock() { return lock_; }
  reentry::Reserve& reserve() { return reserve_; }
  const SizeTable& table() const { return table_; }
  Heap& heap() { return heap_; }

  static constexpr size_t kBeside = layers::kBesideOf<Heap>;

  // The bytes that a block takes of what the heap, or the reserve, has from the system.
  size_t taken_by(const void* block) const {
    return is_reserved(block) ? reentry::Reserve::taken_by(block) : heap_.get_size(block) + kBeside;
  }

  // --- with the lock held ---

  void open() { table_.probe(heap_); }

  // nullptr: there is no memory.
  void* take(uint32_t c) {
    if (MMT_UNLIKELY(!spare_[c].is_empty())) {
      void* spare = spare_[c].pop();
      spare_bytes_ -= reentry::Reserve::taken_by(spare);
      return spare;
    }
    const size_t bytes = SizeTable::lower_bound(c);
    void* block = heap_.malloc(bytes);
    if (MMT_LIKELY(block != nullptr)) note(block, bytes);
    return block;
  }
  void* take_large(size_t bytes) {
    void* block = heap_.malloc(bytes);
    if constexpr (!layers::OwningHeap<Heap>) {
      if (block != nullptr) note(block, bytes);
    }
    return block;
  }
  layers::Block take_aligned(size_t bytes, size_t alignment) requires layers::AligningHeap<Heap> {
    const layers::Block block = heap_.allocate(bytes, alignment);
    if constexpr (!layers::OwningHeap<Heap>) {
      if (block.data != nullptr) note(block.data, block.size);
    }
    return block;
  }
  void give(void* block) {
    if (MMT_UNLIKELY(reserve_.owns(block))) {
      const uint32_t c = SizeTable::floor_class(reentry::Reserve::size_of(block));
      if (c >= SizeTable::kClasses) return;
      spare_[c].push(block);
      spare_bytes_ += reentry::Reserve::taken_by(block);
      return;
    }
    heap_.free(block);
  }
  layers::Usage usage() requires requires(Heap& heap) { heap.usage(); }
  {
    layers::Usage all = heap_.usage();
    all.system_bytes += reserve_.used();
    all.free_bytes += spare_bytes_;
    for (const layers::FreeList& spare : spare_) all.free_blocks += spare.count();
    return all;
  }

  // --- any thread ---

  bool is_reserved(const void* address) const { return reserve_.owns(address); }

  // The result tells whether the address is one of the heap's. If the heap may not be asked at any
  // time, bounds decide instead. The address must lie between the lowest and the highest small
  // block there ever was. It must not lie in the reserve, which may lie between them.
  // Relaxed: a thread that has a block had it by an order that came after its bounds were written.
  MMT_ALWAYS_INLINE bool is_within(const void* address) const {
    if constexpr (layers::kHasSharedOwns<Heap>) return heap_.owns(address);
    const auto at = reinterpret_cast<uintptr_t>(address);
    return at >= low_.load(std::memory_order_relaxed) &&
           at < high_.load(std::memory_order_relaxed) && !reserve_.owns(address);
  }

 private:
  void note(const void* block, size_t bytes) {
    if constexpr (layers::kHasSharedOwns<Heap>) return;
    const auto at = reinterpret_cast<uintptr_t>(block);
    if (at < low_.load(std::memory_order_relaxed)) low_.store(at, std::memory_order_relaxed);
    if (at + bytes > high_.load(std::memory_order_relaxed)) {
      high_.store(at + bytes, std::memory_order_relaxed);
    }
  }

  Heap& heap_;
  SizeTable table_;
  std::atomic<uintptr_t> low_{UINTPTR_MAX};
  std::atomic<uintptr_t> high_{0};
  reentry::Reserve reserve_;
  alignas(core::kNoSharing) sync::TryLock<> lock_;
  layers::FreeList spare_[SizeTable::kClasses];  // blocks of the reserve
  size_t spare_bytes_ = 0;
};

// It holds the depot's lock, or not.
template <class Depot>
class DepotHold {
 public:
  // Waits as long as it takes.
  DepotHold(Depot& depot, uint32_t self) : depot_(depot), self_(self) {
    held_ = depot.lock().lock(self);
  }
  // Tries `spins` times more, and sleeps up to `naps` times for 100 us.
  DepotHold(Depot& depot, uint32_t self, uint32_t spins, uint32_t naps)
      : depot_(depot), self_(self) {
    held_ = depot.lock().try_lock(self, spins);
    if (!held_ && naps != 0) held_ = depot.lock().lock_within(self, naps, 100'000);
  }
  ~DepotHold() {
    if (held_) depot_.lock().unlock(self_);
  }
  DepotHold(const DepotHold&) = delete;
  DepotHold& operator=(const DepotHold&) = delete;
  bool held() const { return held_; }

 private:
  Depot& depot_;
  uint32_t self_;
  bool held_;
};

}  // namespace mmt::layers
