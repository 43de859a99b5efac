#pragma once
// Clients has the threads that allocate, each with a Client of the protocol's. Its guard tells a
// call from the program from one that comes while the thread is inside already. Such a call from a
// signal handler is served from a reserve of our own. A call from the library, whose functions may
// call each other by their names, is served by the library. The two are told apart where signals
// are blocked. That is tried for a while when many have come, and kept to where the library was
// among them.
//
// Client::clear() gives all that the client holds to the library. The caller has the client to
// itself.
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <new>

#include <mmt/core/compiler.h>
#include <mmt/core/never_destroyed.h>
#include <mmt/core/stack.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/reentry/reentry.h>
#include <mmt/sync/client_lease.h>
#include <mmt/sync/registry.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/thread.h>

#include "backend/library.h"

namespace mmt::backend {

// All static, as there is one program.
template <class ClientType>
class Clients {
  // These calls go straight to the library while the thread is inside with signals blocked.
  // `kThrough`: all of them. `kCall`: all of them, and they come from the library itself.
  enum class Passes : uint8_t { kNone, kThrough, kCall };

  // What a library's malloc takes, by a good guess.
  static constexpr size_t kLibraryStack = 2048;

 public:
  using Client = ClientType;

  // --- the fast path: open(), enter(), leave(), in this order ---

  // The thread's client, to be used without further questions; or one that is_closed().
  static MMT_ALWAYS_INLINE Client* open() { return open_; }
  static MMT_ALWAYS_INLINE bool is_closed(const Client* client) {
    return reinterpret_cast<uintptr_t>(client) <= 1;
  }
  static MMT_ALWAYS_INLINE void enter() {
    open_ = busy();
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  static MMT_ALWAYS_INLINE void leave(Client* client) {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    open_ = client;
  }

  // The memory thread, at first: no handler runs there.
  static void enter_for_good() {
    enter();
    passes_ = Passes::kThrough;
  }

  // --- slow paths ---

  static bool is_inside() { return open_ == busy(); }
  // Inside: calls that come are no handler's, as signals are blocked.
  static bool passes() { return passes_ != Passes::kNone; }
  // Whether a handler that runs now may have interrupted the thread in one of the library's calls.
  static bool may_be_in_library() { return is_inside() && !awaits_; }

  // While one lives, what comes to the thread, which is inside, is the library's or libc's.
  class Passage {
   public:
    Passage() : before_(passes_) { passes_ = Passes::kThrough; }
    ~Passage() { passes_ = before_; }
    Passage(const Passage&) = delete;
    Passage& operator=(const Passage&) = delete;

   private:
    const sys::SignalsBlocked blocked_;
    Passes before_;
  };

  // While one lives, the thread is inside.
  class Inside {
   public:
    Inside() : is_first_(!is_inside()), is_librarys_(!is_first_ && passes()) {
      core::touch_stack<kLibraryStack>();
      enter();
      if (MMT_UNLIKELY(passes_ == Passes::kCall)) block_for_good();
      if (MMT_LIKELY(!is_blocking()) || !is_first_) return;
      signals_ = sys::block_signals();
      passes_ = Passes::kCall;
      blocks_ = true;
    }
    ~Inside() {
      if (!is_first_) return;
      awaits_ = false;
      std::atomic_signal_fence(std::memory_order_seq_cst);
      free_deferred();
      if (MMT_UNLIKELY(blocks_)) passes_ = Passes::kNone;
      leave(is_open_ ? mine_ : nullptr);
      if (MMT_UNLIKELY(blocks_)) sys::restore_signals(signals_);
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    // The thread was not inside.
    bool is_first() const { return is_first_; }
    // It was, and it is the library that calls.
    bool is_librarys() const { return is_librarys_; }

   private:
    bool is_first_;
    bool is_librarys_;
    bool blocks_ = false;
    uint64_t signals_ = 0;
  };

  // This thread's client, made if need be; inside. nullptr: none can be had, or the thread ends.
  static Client* attach() {
    if (mine_ == nullptr && !has_ended_) mine_ = find_or_make();
    return mine_;
  }
  // Whether the thread's fast path may be taken from the next call on; inside.
  static void open_next(bool is_open) {
    is_open_ = is_open && !are_closed_.load(std::memory_order_relaxed) &&
               MMT_LIKELY(block_until_.load(std::memory_order_relaxed) == 0);
  }
  // For good: by this thread at once, by others from their next slow path on.
  static void close_all() {
    are_closed_.store(true, std::memory_order_relaxed);
    const Inside inside;
    is_open_ = false;
  }

  // Something was allocated from the reserve, and may have to be freed.
  static bool has_reserved() { return reentry_.is_used(); }
  // Whose block: the reserve's. Those that come while the thread is inside wait for its end.
  static bool is_reserved(const void* block) { return reentry_.owns(block); }
  static void* allocate_reserved(size_t bytes, size_t alignment) {
    note_reentry();
    return allocate_beside(bytes, alignment);
  }
  // The same for another reason: nullptr, the reserve is used up.
  static void* allocate_beside(size_t bytes, size_t alignment) {
    return reentry_.allocate(bytes, alignment);
  }
  static void free_reserved(void* block) { reentry_.free(block); }
  static size_t size_of_reserved(const void* block) { return reentry::Reentry::size_of(block); }
  static void defer_free(void* block) { reentry_.defer_free(block); }

  // --- the life of threads ---

  // Once. end_thread(client) is called as a thread ends: end() is its duty.
  static void install(void (*end_thread)(void*)) {
    has_key_ = ::pthread_key_create(&key_, end_thread) == 0;
  }
  // In the key's destructor. is_cleared(): what is given away the memory thread will clear.
  template <class IsCleared>
  static void end(void* ended, IsCleared&& is_cleared) {
    auto* node = static_cast<Node*>(ended);
    enter();
    mine_ = nullptr;
    has_ended_ = true;
    // Nobody else's, whatever starts between the look and what follows.
    node->lease.leave_to_self();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (is_cleared()) {
      node->lease.put_back();
    } else {
      node->client.clear();
      node->lease.end_reclaim();
    }
    leave(nullptr);
  }
  // The memory thread: calls serve(client) for each that is a thread's, and clears those that were
  // given away. Whether there was something to do.
  template <class Serve>
  static bool serve_all(Serve&& serve) {
    bool worked = false;
    const uint32_t count = nodes_.count();
    for (uint32_t i = 0; i < count; ++i) {
      Node* node = nodes_.at(i);
      if (node == nullptr) continue;
      if (node->lease.state() == node->lease.kLive) {
        worked |= serve(node->client);
      } else if (node->lease.state() == node->lease.kZombie && node->lease.begin_reclaim()) {
        node->client.clear();
        node->lease.end_reclaim();
        worked = true;
      }
    }
    return worked;
  }
  // This thread's, not inside, while the memory thread is at none.
  static void clear_own() {
    const Inside inside;
    if (mine_ != nullptr) mine_->clear();
  }
  // Between them the library's locks may be this thread's, and a handler is not to wait for them:
  // as if the thread were inside. Pairs may lie within pairs; true: it is the outermost.
  static bool begin_fork() {
    const sys::SignalsBlocked blocked;
    if (forks_++ != 0) return false;
    was_inside_ = is_inside();
    enter();
    return true;
  }
  static bool end_fork() {
    const sys::SignalsBlocked blocked;
    if (forks_ == 0 || --forks_ != 0) return false;
    if (was_inside_) return true;
    free_deferred();
    leave(is_open_ ? mine_ : nullptr);
    return true;
  }
  // Called in a fork's child, which has the forking thread's client alone. The other clients are
  // lost with what they hold. `forks` says how many more times end_fork() is called. A fork in
  // whose midst another one has made the child holds no lock there.
  static void reset_in_child(uint32_t forks) {
    forks_ = forks;
    for (uint32_t i = 0; i < nodes_.count(); ++i) {
      Node* node = nodes_.at(i);
      if (node == nullptr || &node->client == mine_) continue;
      // Those of ended threads are whole, as the memory thread was at none.
      const auto state = node->lease.state();
      const bool is_whole = state == node->lease.kFree || state == node->lease.kZombie;
      if (!is_whole) node->lease.orphan_in_child();
    }
    if constexpr (requires { mine_->reset_in_child(); }) {
      if (mine_ != nullptr) mine_->reset_in_child();
    }
    is_open_ = false;
    if (!is_inside()) open_ = nullptr;
  }
  // The thread, inside, is in none of the library's calls until it leaves: it waits for an answer.
  static void await_answer() {
    awaits_ = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  // It waits no longer.
  static void await_no_more() {
    awaits_ = false;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  // After reset_in_child, when the library may be called: a handler may have forked while its
  // thread waited for the memory thread's answer. This is it.
  static void answer_own() {
    if (awaits_) mine_->serve();
  }

 private:
  static constexpr uint32_t kMost = 1024;
  // So many calls may come while the thread is inside, before it is found out whose they are. A
  // library's first call, which sets it up, may make some. If all were handlers' calls, it is found
  // out again after kTimes as many.
  static constexpr uint32_t kMany = 64;
  static constexpr uint32_t kTimes = 8;
  // For this share of the time in which they came, and at least so long.
  static constexpr uint64_t kShare = 8;
  static constexpr uint64_t kLeastNs = sys::kNanosAMilli;
  static constexpr uint64_t kForGood = UINT64_MAX;

  struct Node {
    Client client;
    sync::ClientLease<> lease;
  };

  static void free_deferred() {
    if (MMT_LIKELY(!reentry_.has_deferred())) return;
    reentry_.take_deferred([](void* block) { library.free(block); });
  }

  static void note_reentry() {
    const uint32_t count = reentries_.fetch_add(1, std::memory_order_relaxed) + 1;
    if (count == 1) first_reentry_.store(sys::coarse_ns(), std::memory_order_relaxed);
    uint32_t many = many_.load(std::memory_order_relaxed);
    if (count < many ||
        !many_.compare_exchange_strong(many, many * kTimes, std::memory_order_relaxed)) {
      return;
    }
    const uint64_t now = sys::coarse_ns();
    const uint64_t passed = now - first_reentry_.load(std::memory_order_relaxed);
    uint64_t none = 0;
    block_until_.compare_exchange_strong(none, now + std::max(passed / kShare, kLeastNs),
                                         std::memory_order_relaxed);
  }
  static bool is_blocking() {
    uint64_t until = block_until_.load(std::memory_order_relaxed);
    if (MMT_LIKELY(until == 0)) return false;
    if (until == kForGood || sys::coarse_ns() < until) return true;
    return !block_until_.compare_exchange_strong(until, 0, std::memory_order_relaxed) &&
           until == kForGood;
  }
  // No handler can have come: the library calls itself.
  static void block_for_good() { block_until_.store(kForGood, std::memory_order_relaxed); }

  // What open_ is while the thread is inside.
  static Client* busy() { return reinterpret_cast<Client*>(uintptr_t{1}); }

  static Client* find_or_make() {
    for (uint32_t i = 0; i < nodes_.count(); ++i) {
      Node* node = nodes_.at(i);
      if (node != nullptr && node->lease.claim()) return with_end(node);
    }
    if (nodes_.count() == kMost) return nullptr;
    // A number that is taken stays so: first all that may fail. It may be for a free.
    const int kept = errno;
    void* memory = layers::MmapHeap().allocate(sizeof(Node), alignof(Node)).data;
    errno = kept;
    if (memory == nullptr) return nullptr;
    uint32_t number;
    if (!nodes_.reserve(&number)) return layers::MmapHeap().free(memory), nullptr;
    auto* node = ::new (memory) Node;
    node->lease.claim_new();
    nodes_.add(number, node);
    return with_end(node);
  }
  static Client* with_end(Node* node) {
    const Passage passage;
    if (has_key_) ::pthread_setspecific(key_, node);
    return &node->client;
  }

  static inline thread_local Client* open_ = nullptr;
  static inline thread_local Client* mine_ = nullptr;
  static inline thread_local bool is_open_ = false;
  static inline thread_local bool has_ended_ = false;
  static inline thread_local bool awaits_ = false;
  static inline thread_local uint32_t forks_ = 0;
  static inline thread_local bool was_inside_ = false;  // as the first of them began
  static inline thread_local Passes passes_ = Passes::kNone;

  static inline constinit sync::Registry<Node, kMost> nodes_{};
  MMT_NO_DESTROY static inline constinit core::NeverDestroyed<reentry::Reentry> kept_reentry_;
  static constexpr reentry::Reentry& reentry_ = kept_reentry_.value;
  static inline constinit std::atomic<bool> are_closed_{false};  // relaxed: seen at some slow path
  // All four are relaxed: they are numbers, by which nothing else is found.
  static inline constinit std::atomic<uint64_t> block_until_{0};  // ns: signals, in each call
  static inline constinit std::atomic<uint32_t> reentries_{0};
  static inline constinit std::atomic<uint32_t> many_{kMany};
  static inline constinit std::atomic<uint64_t> first_reentry_{0};  // ns
  static inline pthread_key_t key_ = 0;
  static inline bool has_key_ = false;
};

}  // namespace mmt::backend
