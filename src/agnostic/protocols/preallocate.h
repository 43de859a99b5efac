#pragma once
// The paper's final design: for each request size up to 512 bytes the memory thread prepares a
// bucket of blocks as soon as the size is seen, and the next one as soon as a bucket is handed
// over. Requests and answers are counted by counters with one writer each; freed blocks leave in
// bulk through two queues, of which one is the client's at any time. Requests above 512 bytes, and
// those that find no bucket ready, wait for the memory thread, which serves them before it frees.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "agnostic/library.h"
#include "agnostic/primitives.h"
#include "agnostic/protocols/bucket.h"
#include "agnostic/protocols/free_queue.h"

namespace mmt::agnostic {

class Preallocate {
 public:
  static constexpr size_t kLargest = 512;
  static constexpr uint32_t kBase = 400;
  static constexpr uint32_t kSlope = 4;
  static constexpr uint32_t kQueue = 200;
  static constexpr uint32_t kStep = 8;  // operations between two looks for a request

  // The paper has one client; several share what is prepared ahead.
  static uint32_t room_for(size_t bytes) {
    const uint32_t room = kBase + kSlope * static_cast<uint32_t>(bytes);
    const uint32_t clients = clients_.load(std::memory_order_relaxed);
    return std::max(room / clients, kStep);
  }

  class Client {
   public:
    Client() { clients_.fetch_add(1, std::memory_order_relaxed); }

    MMT_ALWAYS_INLINE void* take(size_t bytes) {
      return bytes <= kLargest ? own_[bytes].take() : nullptr;
    }
    MMT_ALWAYS_INLINE bool give(void* block) {
      FreeQueue<kQueue>& queue = freed_[filling_];
      if (MMT_UNLIKELY(!queue.is_filling())) return false;
      if (queue.add(block)) filling_ ^= 1;
      return true;
    }
    void* allocate(size_t bytes) {
      if (void* block = take(bytes)) return block;
      request_ = bytes;
      const uint64_t number = wakeup_.load(std::memory_order_relaxed) + 1;
      // Release and acquire, here and in serve(): the request before its number, the answer before
      // its.
      wakeup_.store(number, std::memory_order_release);
      wait_until([&] { return served_.load(std::memory_order_acquire) == number; });
      return answer_;
    }
    // In the rare case that both queues are full.
    void free(void* block) {
      wait_until([&] { return freed_[filling_].is_filling(); });
      give(block);
    }

    // --- the memory thread ---

    bool serve() {
      bool worked = answer();
      worked |= prepare();
      return worked | drain();
    }
    void clear() {
      for (Bucket& bucket : own_) bucket.close();
      for (Bucket& bucket : prepared_) bucket.close();
      for (FreeQueue<kQueue>& queue : freed_) queue.clear();
      for (uint64_t& word : wanted_) word = 0;
    }

   private:
    static constexpr size_t kSizes = kLargest + 1;

    // The client waits meanwhile, so its bucket may be exchanged.
    bool answer() {
      const uint64_t served = served_.load(std::memory_order_relaxed);
      if (wakeup_.load(std::memory_order_acquire) == served) return false;
      const size_t bytes = request_;
      if (bytes > kLargest) {
        answer_ = library.malloc(bytes);
      } else {
        if (prepared_[bytes].count() != 0) {
          const Bucket emptied = own_[bytes];
          own_[bytes] = prepared_[bytes];
          prepared_[bytes] = emptied;
          answer_ = own_[bytes].take();
        } else {
          answer_ = library.malloc(bytes);
        }
        wanted_[bytes / 64] |= uint64_t{1} << (bytes % 64);
      }
      served_.store(served + 1, std::memory_order_release);
      return true;
    }

    bool prepare() {
      bool worked = false;
      for (size_t word = 0; word < kWords; ++word) {
        while (wanted_[word] != 0) {
          const auto bit = static_cast<size_t>(std::countr_zero(wanted_[word]));
          fill(word * 64 + bit);
          wanted_[word] &= ~(uint64_t{1} << bit);
          worked = true;
        }
      }
      return worked;
    }
    void fill(size_t bytes) {
      Bucket& bucket = prepared_[bytes];
      for (uint32_t done = 0; done == 0 || !bucket.is_full(); ++done) {
        if (done % kStep == 0) answer();  // which may take what there is of the bucket
        if (!bucket.open(room_for(bytes)) || bucket.is_full()) return;
        void* block = library.malloc(bytes);
        if (block == nullptr) return;
        bucket.add(block);
      }
    }
    bool drain() {
      bool worked = false;
      for (FreeQueue<kQueue>& queue : freed_) {
        if (!queue.is_full()) continue;
        uint32_t done = 0;
        while (void* block = queue.take()) {
          library.free(block);
          if (++done % kStep == 0) answer();
        }
        worked = true;
      }
      return worked;
    }

    static constexpr size_t kWords = kSizes / 64 + 1;

    Bucket own_[kSizes];
    uint32_t filling_ = 0;
    size_t request_ = 0;
    alignas(core::kNoSharing) std::atomic<uint64_t> wakeup_{0};
    alignas(core::kNoSharing) std::atomic<uint64_t> served_{0};
    void* answer_ = nullptr;
    alignas(core::kNoSharing) Bucket prepared_[kSizes];
    uint64_t wanted_[kWords] = {};
    FreeQueue<kQueue> freed_[2];
  };

 private:
  static inline constinit std::atomic<uint32_t> clients_{0};
};

}  // namespace mmt::agnostic
