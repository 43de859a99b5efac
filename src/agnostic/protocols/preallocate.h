#pragma once
// The paper's final design: for each request size up to a limit the memory thread prepares a bucket
// of blocks as soon as the size is seen, and the next one as soon as a bucket is handed over.
// Requests and answers are counted by counters with one writer each. Requests above the limit, and
// those that find no bucket ready, wait for the memory thread, which serves them before it frees.
// Where the paper discusses a choice, options.h has both.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "agnostic/library.h"
#include "agnostic/options.h"
#include "agnostic/primitives.h"
#include "agnostic/protocols/bucket.h"
#include "agnostic/protocols/freed_blocks.h"

namespace mmt::agnostic {

template <class Frees>
class Preallocate {
 public:
  static constexpr uint32_t kStep = 8;  // operations between two looks for a request

  // The paper has one client; several share what is prepared ahead.
  static uint32_t room_for(size_t bytes) {
    const uint32_t room = options.base + options.slope * static_cast<uint32_t>(bytes);
    const uint32_t clients = clients_.load(std::memory_order_relaxed);
    return std::max(room / clients, kStep);
  }

  class Client {
   public:
    Client() { clients_.fetch_add(1, std::memory_order_relaxed); }

    MMT_ALWAYS_INLINE void* take(size_t bytes) {
      if (MMT_UNLIKELY(bytes > options.largest)) return nullptr;
      if (void* block = frees_.recycle(bytes)) return block;
      Bucket& bucket = own_[index_of(bytes)];
      void* const block = bucket.take();
      if (options.refill == Refill::kAtHalf && bucket.is_half_used()) ask_for(index_of(bytes));
      return block;
    }
    MMT_ALWAYS_INLINE bool give(void* block) { return frees_.give(block); }
    void* allocate(size_t bytes) {
      if (void* block = take(bytes)) return block;
      request_ = bytes;
      const uint64_t number = wakeup_.load(std::memory_order_relaxed) + 1;
      // Release and acquire, here and in serve(): the request before its number, the answer before
      // its.
      wakeup_.store(number, std::memory_order_release);
      Wake::now();
      wait_until([&] { return served_.load(std::memory_order_acquire) == number; });
      return answer_;
    }
    // In the rare case that both queues are full.
    void free(void* block) {
      Wake::now();
      wait_until([&] { return frees_.give(block); });
    }

    // --- the memory thread ---

    bool serve() {
      bool worked = answer();
      worked |= prepare();
      return worked | frees_.drain([&] { answer(); });
    }
    void clear() {
      for (Bucket& bucket : own_) bucket.close();
      for (Bucket& bucket : prepared_) bucket.close();
      frees_.clear();
      for (auto& word : wanted_) word.store(0, std::memory_order_relaxed);
    }

   private:
    static constexpr size_t kSizes = 1024 + 1;
    static constexpr size_t kWords = kSizes / 64 + 1;

    size_t index_of(size_t bytes) const {
      if (options.buckets == Buckets::kRequest || chunk_of_[bytes] == 0) return bytes;
      return chunk_of_[bytes];
    }

    // The client waits meanwhile, so its bucket may be exchanged.
    bool answer() {
      const uint64_t served = served_.load(std::memory_order_relaxed);
      if (wakeup_.load(std::memory_order_acquire) == served) return false;
      answer_ = request_ > options.largest ? library.malloc(request_) : small(request_);
      served_.store(served + 1, std::memory_order_release);
      return true;
    }
    void* small(size_t bytes) {
      const size_t index = index_of(bytes);
      if (requests_[index] <= options.learn) ++requests_[index];
      if (prepared_[index].count() != 0) {
        std::swap(own_[index], prepared_[index]);
        if (options.refill == Refill::kAtOnce) ask_for(index);
        return own_[index].take();
      }
      void* const block = library.malloc(index);
      if (options.buckets == Buckets::kChunk && block != nullptr) {
        const size_t size = library.usable_size(block);
        if (size >= bytes && size <= options.largest) {
          chunk_of_[bytes] = static_cast<uint16_t>(size);
        }
      }
      if (requests_[index] > options.learn) ask_for(index_of(bytes));
      return block;
    }

    // Either party.
    void ask_for(size_t index) {
      const uint64_t bit = uint64_t{1} << (index % 64);
      std::atomic<uint64_t>& word = wanted_[index / 64];
      if ((word.load(std::memory_order_relaxed) & bit) != 0) return;
      word.fetch_or(bit, std::memory_order_relaxed);
    }
    bool prepare() {
      bool worked = false;
      for (size_t word = 0; word < kWords; ++word) {
        if (MMT_LIKELY(wanted_[word].load(std::memory_order_relaxed) == 0)) continue;
        uint64_t bits = wanted_[word].exchange(0, std::memory_order_relaxed);
        for (; bits != 0; bits &= bits - 1) {
          worked |= fill(word * 64 + static_cast<size_t>(std::countr_zero(bits)));
        }
      }
      return worked;
    }
    // False: it is full already.
    bool fill(size_t index) {
      Bucket& bucket = prepared_[index];
      for (uint32_t done = 0;; ++done) {
        if (done % kStep == 0) answer();  // which may take what there is of the bucket
        if (!bucket.open(room_for(index)) || bucket.is_full()) return done != 0;
        void* block = library.malloc(index);
        if (block == nullptr) return done != 0;
        bucket.add(block);
      }
    }

    Bucket own_[kSizes];
    Frees frees_;
    size_t request_ = 0;
    alignas(core::kNoSharing) std::atomic<uint64_t> wakeup_{0};
    alignas(core::kNoSharing) std::atomic<uint64_t> served_{0};
    void* answer_ = nullptr;
    alignas(core::kNoSharing) Bucket prepared_[kSizes];
    std::atomic<uint64_t> wanted_[kWords] = {};
    uint32_t requests_[kSizes] = {};
    uint16_t chunk_of_[kSizes] = {};  // written while the client waits
  };

 private:
  static inline constinit std::atomic<uint32_t> clients_{0};
};

}  // namespace mmt::agnostic
