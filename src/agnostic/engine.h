#pragma once
// Any allocator on a thread of its own, by a protocol: the life of clients and of the memory
// thread, which all protocols share. What abi/process_heap.h asks for. All blocks are the library's
// own, so whoever finds no memory thread, or is one himself, calls the library.
//
// Protocol::Client, one for each thread:
//   take, give        what needs no other party; nullptr or false: allocate or free does it
//   allocate, free    may wait for the memory thread, which is running
//   serve             the memory thread: one round; false: there was nothing to do
//   clear             whoever has the client to himself: gives all that it holds to the library
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>

#include <mmt/core/compiler.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/offload/pthread_server.h>
#include <mmt/sync/client_slot.h>
#include <mmt/sync/ladder.h>
#include <mmt/sync/parker.h>
#include <mmt/sync/registry.h>
#include <mmt/sync/server_role.h>

#include "agnostic/library.h"
#include "agnostic/primitives.h"
#include "heaps/reentry.h"

namespace mmt::agnostic {

template <class Protocol>
class Engine {
 public:
  template <class Slow>
  static MMT_ALWAYS_INLINE void* allocate_or(size_t bytes, Slow&& slow) {
    Client* const client = open_;
    if (MMT_UNLIKELY(is_closed(client))) return slow(bytes);
    enter();
    void* block = client->protocol.take(bytes);
    leave(client);
    return MMT_LIKELY(block != nullptr) ? block : slow(bytes);
  }
  template <class Slow>
  static MMT_ALWAYS_INLINE void deallocate_or(void* block, Slow&& slow) {
    Client* const client = open_;
    if (MMT_UNLIKELY(is_closed(client) || block == nullptr || reentry_.owns(block))) {
      return slow(block);
    }
    enter();
    const bool is_done = client->protocol.give(block);
    leave(client);
    if (MMT_UNLIKELY(!is_done)) slow(block);
  }

  static void* allocate_slow(size_t bytes) {
    if (MMT_UNLIKELY(is_inside())) return reentry_.allocate(bytes, layers::kBlockAlignment);
    const Inside inside;
    start_if_due(bytes);
    return inside.is_served() ? inside.client()->protocol.allocate(bytes) : library.malloc(bytes);
  }
  static bool deallocate_slow(void* block) {
    if (block == nullptr || reentry_.owns(block)) return true;
    if (MMT_UNLIKELY(is_inside())) {
      reentry_.defer_free(block);
      return true;
    }
    const Inside inside;
    if (inside.is_served()) {
      inside.client()->protocol.free(block);
    } else {
      library.free(block);
    }
    return true;
  }
  static void* allocate_aligned(size_t bytes, size_t alignment) {
    if (MMT_UNLIKELY(is_inside())) return reentry_.allocate(bytes, alignment);
    const Inside inside;
    return library.memalign(alignment, bytes);
  }
  static void* allocate_zeroed(size_t bytes) {
    if (bytes > kZeroedHere && !is_inside()) {
      const Inside inside;
      return library.calloc(1, bytes);
    }
    void* block = allocate_or(bytes, allocate_slow);
    return block == nullptr ? nullptr : memset(block, 0, bytes);
  }
  static void* reallocate(void* block, size_t bytes) {
    if (!reentry_.owns(block) && !is_inside()) {
      const Inside inside;
      return library.realloc(block, bytes);
    }
    const size_t size = usable_size(block);
    void* moved = allocate_slow(bytes);
    if (moved == nullptr) return nullptr;
    memcpy(moved, block, size < bytes ? size : bytes);
    deallocate_slow(block);
    return moved;
  }
  static size_t usable_size(const void* block) {
    if (reentry_.owns(block)) return heaps::Reentry::size_of(block);
    return library.usable_size(const_cast<void*>(block));
  }
  static bool owns(const void*) { return true; }
  static void keep_to_slow_paths() {}
  static bool trim() {
    const Inside inside;
    return library.trim(0) != 0;
  }
  static void set_trim_threshold(int value) {
    const Inside inside;
    library.set_parameter(M_TRIM_THRESHOLD, value);
  }
  static struct mallinfo2 info() {
    const Inside inside;
    return library.info();
  }
  static int print_info(int options, FILE* stream) { return library.print_info(options, stream); }
  static void print_stats() { library.print_stats(); }

  static void install_fork_handlers() {
    static bool is_done = false;
    if (is_done) return;
    is_done = true;
    has_key_ = ::pthread_key_create(&key_, end_thread) == 0;
    ::pthread_atfork(prepare_fork, after_fork_in_parent, after_fork_in_child);
  }

 private:
  static constexpr uint32_t kMostClients = 1024;
  static constexpr size_t kZeroedHere = 4096;  // what the library's calloc need not do

  struct Client {
    typename Protocol::Client protocol;
    sync::ClientSlot<> slot;
  };

  // --- one thread's part ---

  // open_, while this thread is inside: what comes then is a signal handler that interrupted it, or
  // the library calling us.
  static Client* busy() { return reinterpret_cast<Client*>(uintptr_t{1}); }
  static MMT_ALWAYS_INLINE bool is_closed(const Client* client) {
    return reinterpret_cast<uintptr_t>(client) <= 1;
  }
  static bool is_inside() { return open_ == busy(); }
  static MMT_ALWAYS_INLINE void enter() {
    open_ = busy();
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  static MMT_ALWAYS_INLINE void leave(Client* client) {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    open_ = client;
  }

  class Inside {
   public:
    Inside() : was_inside_(is_inside()) {
      enter();
      if (!was_inside_ && mine_ == nullptr && !has_ended_ && role_.is_running()) mine_ = attach();
    }
    ~Inside() {
      if (was_inside_) return;
      if (MMT_UNLIKELY(reentry_.has_deferred())) {
        reentry_.take_deferred([](void* block) { library.free(block); });
      }
      leave(is_served() ? mine_ : nullptr);
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    Client* client() const { return mine_; }
    bool is_served() const { return mine_ != nullptr && !is_forking_ && role_.is_running(); }

   private:
    bool was_inside_;
  };

  static Client* attach() {
    for (uint32_t i = 0; i < clients_.count(); ++i) {
      Client* client = clients_.at(i);
      if (client != nullptr && client->slot.claim()) return with_end(client);
    }
    uint32_t number;
    if (!clients_.reserve(&number)) return nullptr;
    void* memory = layers::MmapHeap().allocate(sizeof(Client), alignof(Client)).data;
    if (memory == nullptr) return nullptr;
    auto* client = ::new (memory) Client;
    client->slot.claim_new();
    clients_.add(number, client);
    return with_end(client);
  }
  static Client* with_end(Client* client) {
    if (has_key_) ::pthread_setspecific(key_, client);
    return client;
  }
  static void end_thread(void* ended) {
    auto* client = static_cast<Client*>(ended);
    enter();
    mine_ = nullptr;
    has_ended_ = true;
    if (role_.serves()) {
      client->slot.leave();
      parker_.wake_if_parked();
    } else {
      client->slot.leave_to_self();
      client->protocol.clear();
      client->slot.end_reclaim();
    }
    leave(nullptr);
  }

  // --- the memory thread ---

  static void start_if_due(uint64_t bytes) {
    if (MMT_LIKELY(role_.state() != role_.kNotStarted)) return parker_notify();
    if (volume_.fetch_add(bytes, std::memory_order_relaxed) + bytes < kStartBytes) return;
    if (!role_.claim_start()) return;
    if (!threads_.is_wanted()) return role_.stay_away();
    if (!threads_.start(serve, nullptr)) role_.fail();
  }
  static void parker_notify() { parker_.wake_if_parked(); }

  static void serve(void*) {
    enter();
    sync::Ladder ladder;
    ladder.set_limits({2'000'000, 20'000, 1'000'000, 20'000'000});
    role_.running();
    ladder.worked(threads_.now_ns());
    for (uint32_t rounds = 0;; ++rounds) {
      if (MMT_UNLIKELY(pause_.load(std::memory_order_acquire) != 0)) stay_paused();
      if (look()) {
        ladder.worked(threads_.now_ns());
        continue;
      }
      if (rounds % 64 != 0) {
        core::cpu_relax();
        continue;
      }
      switch (ladder.idle(threads_.now_ns())) {
        case sync::Ladder::Step::kSpin:
          core::cpu_relax();
          break;
        case sync::Ladder::Step::kNap:
          parker_.nap(ladder.nap_ns());
          break;
        case sync::Ladder::Step::kPark:
          park();
          break;
      }
    }
  }
  static bool look() {
    bool worked = false;
    const uint32_t count = clients_.count();
    for (uint32_t i = 0; i < count; ++i) {
      Client* client = clients_.at(i);
      if (client == nullptr) continue;
      if (client->slot.state() == client->slot.kZombie && client->slot.begin_reclaim()) {
        client->protocol.clear();
        client->slot.end_reclaim();
        worked = true;
      } else if (client->slot.state() == client->slot.kLive) {
        worked |= client->protocol.serve();
      }
    }
    return worked;
  }
  static void park() {
    const bool is_sure = parker_.begin_park();
    if (look() || pause_.load(std::memory_order_relaxed) != 0) return parker_.cancel_park();
    parker_.commit_park(is_sure ? sync::kForever : 10'000'000);
  }

  // --- fork ---

  static void stay_paused() {
    is_paused_.store(true, std::memory_order_release);
    while (pause_.load(std::memory_order_acquire) != 0) sys::sleep_ns(50'000);
    is_paused_.store(false, std::memory_order_release);
  }
  // The memory thread is between two rounds until the fork is done, so that nothing is half done.
  static void prepare_fork() {
    is_forking_ = true;
    if (pause_.fetch_add(1, std::memory_order_acq_rel) != 0) return;
    if (!role_.is_running()) return;
    parker_.wake();
    wait_until([] { return is_paused_.load(std::memory_order_acquire); });
  }
  static void after_fork_in_parent() {
    pause_.fetch_sub(1, std::memory_order_release);
    is_forking_ = false;
  }
  static void after_fork_in_child() {
    pause_.store(0, std::memory_order_relaxed);
    is_paused_.store(false, std::memory_order_relaxed);
    parker_.reset_in_child();
    role_.reset_in_child();
    threads_.reset_in_child();
    volume_.store(0, std::memory_order_relaxed);
    if constexpr (requires { Protocol::Shared::reset_in_child(); }) {
      Protocol::Shared::reset_in_child();
    }
    open_ = nullptr;  // until there is a memory thread again
    is_forking_ = false;
  }

  static constexpr uint64_t kStartBytes = uint64_t{1} << 20;

  static inline thread_local Client* open_ = nullptr;  // to be used without further questions
  static inline thread_local Client* mine_ = nullptr;
  static inline thread_local bool has_ended_ = false;
  static inline thread_local bool is_forking_ = false;

  static inline constinit sync::Registry<Client, kMostClients> clients_{};
  static inline constinit sync::Parker<> parker_{};
  static inline constinit sync::ServerRole<> role_{};
  static inline constinit offload::PthreadServer threads_{};
  static inline constinit heaps::Reentry reentry_{};
  static inline pthread_key_t key_ = 0;
  static inline bool has_key_ = false;
  static inline constinit std::atomic<uint64_t> volume_{0};
  static inline constinit std::atomic<uint32_t> pause_{0};
  static inline constinit std::atomic<bool> is_paused_{false};
};

}  // namespace mmt::agnostic
