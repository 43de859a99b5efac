// What one application thread has of an OffloadHeap: its magazines, the boxes it is supplied
// through, and the ring on which surplus leaves. Its own thread alone calls what is not said to be
// shared.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/fit/free_list.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/thread/offload/magazine.h>
#include <mmt/layers/thread/offload/size_table.h>
#include <mmt/layers/thread/offload/supply_box.h>
#include <mmt/sync/client_lease.h>
#include <mmt/sync/spsc_ring.h>

namespace mmt::layers {

class OffloadClient {
 public:
  static constexpr uint32_t kRing = 2048;  // blocks of surplus under way
  static constexpr uint32_t kWords = (SizeTable::kClasses + 63) / 64;

  // How many blocks of a class are kept; half of them leave at once as surplus.
  static constexpr uint32_t room_for(uint32_t c) {
    constexpr size_t kBytes = 32768;
    const size_t room = kBytes / SizeTable::lower_bound(c);
    return room > 256 ? 256 : room < 8 ? 8 : static_cast<uint32_t>(room);
  }
  // How many are taken at once from the depot or the memory thread.
  static constexpr uint32_t batch_for(uint32_t c) {
    const uint32_t half = room_for(c) / 2;
    return half < SupplyBox::kMost ? half : SupplyBox::kMost;
  }

  Magazine& magazine(uint32_t c) { return magazines_[c]; }

  // Makes the class's magazine and box. False: there is no memory.
  bool open_class(uint32_t c) {
    const size_t bytes = room_for(c) * sizeof(void*);
    void* memory = carve(sizeof(SupplyBox) + bytes);
    if (memory == nullptr) return false;
    magazines_[c].open(reinterpret_cast<void**>(static_cast<char*>(memory) + sizeof(SupplyBox)),
                       room_for(c));
    // Release: the memory thread finds a box that is made; see box().
    boxes_[c].store(::new (memory) SupplyBox, std::memory_order_release);
    return true;
  }
  // Shared with the memory thread. nullptr: not made yet. Acquire: see open_class().
  SupplyBox* box(uint32_t c) const { return boxes_[c].load(std::memory_order_acquire); }

  // How many blocks the next refill from the depot takes: one, then twice as many each time.
  uint32_t next_batch(uint32_t c) {
    const uint32_t most = batch_for(c);
    const uint32_t now = uint32_t{1} << (refills_[c] < 5 ? refills_[c] : 5);
    if (refills_[c] < 255) ++refills_[c];
    return now < most ? now : most;
  }
  // Whether a class is asked for often enough to be prepared.
  bool is_steady(uint32_t c) const { return refills_[c] >= 4; }

  // Shared: classes whose box is to be filled. Relaxed: the box orders what is in it, and the
  // memory thread looks again before it sleeps (sync/parker.h).
  void ask_for(uint32_t c) {
    wanted_[c / 64].fetch_or(uint64_t{1} << (c % 64), std::memory_order_relaxed);
  }
  uint64_t take_wanted(uint32_t word) {
    if (wanted_[word].load(std::memory_order_relaxed) == 0) return 0;
    return wanted_[word].exchange(0, std::memory_order_relaxed);
  }

  // Shared: this thread produces. The memory thread, or a thread that holds the depot's lock,
  // consumes.
  sync::SpscRing<uintptr_t, kRing>& surplus() { return surplus_; }
  sync::ClientLease<>& lease() { return lease_; }

  // Surplus for which there was neither room in the ring nor the depot's lock.
  layers::FreeList& spilled() { return spilled_; }

  void release_memory() {
    while (pieces_ != nullptr) {
      Piece* const before = pieces_->before;
      layers::MmapHeap().free(pieces_);
      pieces_ = before;
    }
  }

 private:
  struct Piece {
    Piece* before;
  };
  static constexpr size_t kPiece = 64 * 1024 - 32;

  void* carve(size_t bytes) {
    bytes = core::align_up(bytes, alignof(SupplyBox));
    if (bytes > static_cast<size_t>(end_ - next_)) {
      auto* piece = static_cast<Piece*>(layers::MmapHeap().malloc(kPiece));
      if (piece == nullptr) return nullptr;
      piece->before = pieces_;
      pieces_ = piece;
      const auto begin = reinterpret_cast<uintptr_t>(piece);
      next_ = reinterpret_cast<char*>(core::align_up(begin + sizeof(Piece), alignof(SupplyBox)));
      end_ = reinterpret_cast<char*>(begin) + kPiece;
    }
    void* memory = next_;
    next_ += bytes;
    return memory;
  }

  Magazine magazines_[SizeTable::kClasses];
  uint8_t refills_[SizeTable::kClasses] = {};
  char* next_ = nullptr;
  char* end_ = nullptr;
  Piece* pieces_ = nullptr;
  layers::FreeList spilled_;
  std::atomic<SupplyBox*> boxes_[SizeTable::kClasses] = {};
  sync::ClientLease<> lease_;
  alignas(core::kNoSharing) std::atomic<uint64_t> wanted_[kWords] = {};
  sync::SpscRing<uintptr_t, kRing> surplus_;
};

}  // namespace mmt::layers
