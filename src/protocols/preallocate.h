#pragma once
// This is the paper's final design. The memory thread prepares a bucket of blocks for each request
// size up to a limit, as soon as the size is seen. It prepares the next bucket as soon as a bucket
// is handed over. Requests and answers are counted by counters with one writer each. Requests above
// the limit, and those that find no bucket ready, wait for the memory thread. It serves them before
// it frees. Where the paper discusses a choice, options.h has both.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <mmt/core/compiler.h>

#include "backend/library.h"
#include "interprocess/protocol_options.h"
#include "protocols/bucket.h"
#include "protocols/freed_blocks.h"
#include "protocols/primitives.h"

namespace mmt::protocols {

template <class Frees>
class Preallocate {
 public:
  static constexpr uint32_t kStep = 8;        // operations between two looks for a request
  static constexpr uint32_t kLeastShare = 8;  // of a bucket, where many clients share it

  // The paper has one client; several share what is prepared ahead. `promised`: the bytes for which
  // a client's buckets have room, to which this one's are added. The paper has no limit to them; a
  // program that asks for hundreds of sizes gets small buckets for the latest.
  static uint32_t room_for(size_t bytes, uint64_t* promised) {
    const uint32_t room =
        backend::options.base + backend::options.slope * static_cast<uint32_t>(bytes);
    const uint32_t least = std::min(room, kLeastShare);
    const auto clients =
        static_cast<uint32_t>(std::max(clients_.load(std::memory_order_relaxed), 1));
    const uint32_t share = std::max(room / clients, least);
    const uint64_t sum = *promised + uint64_t{share} * std::max(bytes, size_t{16});
    if (backend::options.most != 0 && sum > (uint64_t{backend::options.most} << 20) / clients)
      return least;
    *promised = sum;
    return share;
  }

  struct Shared {
    static void reset_in_child() { clients_.store(0, std::memory_order_relaxed); }
  };
  class Client {
   public:
    // After Shared's: the forking thread's is left.
    void reset_in_child() {
      if (is_counted_) clients_.fetch_add(1, std::memory_order_relaxed);
    }
    MMT_ALWAYS_INLINE void* take(size_t bytes) {
      if (MMT_UNLIKELY(bytes > backend::options.largest)) return nullptr;
      if (void* block = frees_.recycle(chunk(bytes))) return block;
      Bucket& bucket = own_[index_of(bytes)];
      void* const block = bucket.take();
      if (backend::options.refill == backend::Refill::kAtHalf && bucket.is_at_half() &&
          ask_for(index_of(bytes))) {
        Wake::if_parked();
      }
      return block;
    }
    MMT_ALWAYS_INLINE bool give(void* block) { return frees_.give(block); }
    void* allocate(size_t bytes) {
      if (void* block = take(bytes)) return block;
      count(bytes);
      if (!is_counted_) clients_.fetch_add(1, std::memory_order_relaxed);
      is_counted_ = true;
      if (MMT_UNLIKELY(is_late_) && !end_late()) return backend::library.malloc(bytes);
      request_ = bytes;
      const uint64_t number = wakeup_.load(std::memory_order_relaxed) + 1;
      // Release and acquire, here and in serve(): the request before its number, the answer before
      // its.
      wakeup_.store(number, std::memory_order_release);
      Wake::now();
      if (MMT_UNLIKELY(!wait_until([&] { return is_served(); }, patience_ns()))) return late(bytes);
      return answer_;
    }
    void count(size_t bytes) {
      if (MMT_UNLIKELY(volume_.is_much(bytes))) frees_.hand_over();
    }
    // It is for the rare case that both queues are full.
    void free(void* block) {
      if (!are_frees_late_) {
        Wake::now();
        if (wait_until([&] { return frees_.give(block); }, patience_ns())) return;
        Wake::no_more();
      }
      // A client that has waited long once does so no more.
      are_frees_late_ = !frees_.give(block);
      if (are_frees_late_) backend::library.free(block);
    }

    // --- the memory thread ---

    bool serve() {
      bool worked = answer();
      worked |= prepare();
      return worked | frees_.drain([&] { answer(); });
    }
    void clear() {
      answer();
      if (is_late_) end_late();
      for (Bucket& bucket : own_) bucket.close();
      for (Bucket& bucket : prepared_) bucket.close();
      frees_.clear();
      promised_ = 0;
      if (is_counted_) clients_.fetch_sub(1, std::memory_order_relaxed);
      is_counted_ = false;
      for (auto& word : wanted_) word.store(0, std::memory_order_relaxed);
    }

   private:
    static constexpr size_t kSizes = 1024 + 1;
    static constexpr size_t kWords = kSizes / 64 + 1;

    size_t index_of(size_t bytes) const {
      const size_t size = backend::options.buckets == backend::Buckets::kRequest ? 0 : chunk(bytes);
      return size == 0 || size > backend::options.largest ? bytes : size;
    }
    size_t chunk(size_t bytes) const { return chunk_of_[bytes].load(std::memory_order_relaxed); }

    bool is_served() const {
      return served_.load(std::memory_order_acquire) == wakeup_.load(std::memory_order_relaxed);
    }
    // The client's patience is at its end. From now on the memory thread lets its buckets be.
    void* late(size_t bytes) {
      // Sequentially consistent, here and in begin_exchange(): one of the two sees the other.
      is_let_be_.store(true, std::memory_order_seq_cst);
      wait_until([&] { return !exchanges_.load(std::memory_order_seq_cst); });
      Wake::no_more();
      is_late_ = !is_served();
      if (is_late_) return backend::library.malloc(bytes);
      is_let_be_.store(false, std::memory_order_seq_cst);
      return answer_;
    }
    // False: the answer has still not come.
    bool end_late() {
      if (!is_served()) return false;
      is_let_be_.store(false, std::memory_order_seq_cst);
      is_late_ = false;
      if (answer_ != nullptr) backend::library.free(answer_);
      return true;
    }
    // The memory thread calls it. False: the client waits no longer, and may be at its buckets.
    bool begin_exchange() {
      exchanges_.store(true, std::memory_order_seq_cst);
      if (MMT_LIKELY(!is_let_be_.load(std::memory_order_seq_cst))) return true;
      end_exchange();
      return false;
    }
    void end_exchange() { exchanges_.store(false, std::memory_order_release); }

    // The client waits meanwhile, so its bucket may be exchanged.
    bool answer() {
      const uint64_t served = served_.load(std::memory_order_relaxed);
      if (wakeup_.load(std::memory_order_acquire) == served) return false;
      answer_ =
          request_ > backend::options.largest ? backend::library.malloc(request_) : small(request_);
      served_.store(served + 1, std::memory_order_release);
      return true;
    }
    void* small(size_t bytes) {
      const size_t index = index_of(bytes);
      if (requests_[index] <= backend::options.learn) ++requests_[index];
      if (prepared_[index].count() != 0 && begin_exchange()) {
        std::swap(own_[index], prepared_[index]);
        void* const block = own_[index].take();
        if (backend::options.refill == backend::Refill::kAtOnce || own_[index].is_at_half())
          ask_for(index);
        end_exchange();
        return block;
      }
      void* const block = backend::library.malloc(index);
      constexpr bool kRecycles = !std::is_same_v<Frees, KeptApart>;
      if ((kRecycles || backend::options.buckets == backend::Buckets::kChunk) && block != nullptr) {
        const size_t size = backend::library.usable_size(block);
        if (size >= bytes && size <= UINT16_MAX) {
          chunk_of_[bytes].store(static_cast<uint16_t>(size), std::memory_order_relaxed);
        }
      }
      if (requests_[index] > backend::options.learn) ask_for(index_of(bytes));
      return block;
    }

    // Either party calls it. False: it has been asked for already.
    bool ask_for(size_t index) {
      const uint64_t bit = uint64_t{1} << (index % 64);
      std::atomic<uint64_t>& word = wanted_[index / 64];
      if ((word.load(std::memory_order_relaxed) & bit) != 0) return false;
      return (word.fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
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
        if (!bucket.is_open() && !bucket.open(room_for(index, &promised_))) return done != 0;
        if (bucket.is_full()) return done != 0;
        void* block = backend::library.malloc(index);
        if (block == nullptr) return done != 0;
        bucket.add(block);
      }
    }

    Bucket own_[kSizes];
    Frees frees_;
    Volume volume_;  // of requests that wait: large ones are among them
    size_t request_ = 0;
    bool are_frees_late_ = false;  // as of the last time that both queues were full
    bool is_late_ = false;  // the last answer is not waited for any more, and was not seen yet
    std::atomic<bool> is_let_be_{false};
    alignas(core::kNoSharing) std::atomic<uint64_t> wakeup_{0};
    alignas(core::kNoSharing) std::atomic<uint64_t> served_{0};
    void* answer_ = nullptr;
    std::atomic<bool> exchanges_{false};  // the memory thread, two buckets
    alignas(core::kNoSharing) Bucket prepared_[kSizes];
    std::atomic<uint64_t> wanted_[kWords] = {};
    uint64_t promised_ = 0;  // as of room_for()
    uint32_t requests_[kSizes] = {};
    // What the library gives for a request; 0: not known. Written by the memory thread, relaxed: a
    // number by itself.
    std::atomic<uint16_t> chunk_of_[kSizes] = {};
    bool is_counted_ = false;  // among clients_; the client, or its clearer
  };

 private:
  // How many clients have asked for a bucket and were not cleared since. Relaxed: it divides the
  // room for buckets, and may be a little off.
  static inline constinit std::atomic<int32_t> clients_{0};
};

}  // namespace mmt::protocols
