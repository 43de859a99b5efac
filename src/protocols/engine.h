#pragma once
// Engine is any allocator on a thread of its own, by a protocol of the paper's. It has what
// names/process_heap.h asks for. All blocks are the library's own. So a thread that finds no memory
// thread, or is one itself, calls the library.
//
// Protocol::Client, one for each thread:
// - take, give: what needs no other party; nullptr or false: allocate or free does it
// - allocate, free: may wait for the memory thread, which is running
// - serve: see memory_thread.h
// - clear: see clients.h
#include <atomic>
#include <cstdint>
#include <cstring>

#include <mmt/core/compiler.h>

#include "backend/clients.h"
#include "backend/library_calls.h"
#include "interprocess/protocol_options.h"
#include "protocols/memory_thread.h"
#include "protocols/one_at_a_time.h"
#include "protocols/primitives.h"

namespace mmt::protocols {

template <class Protocol>
class Engine
    : public backend::LibraryCalls<Engine<Protocol>, backend::Clients<typename Protocol::Client>> {
  using Client = typename Protocol::Client;
  using All = backend::Clients<Client>;
  using Thread = MemoryThread<All>;
  using Turns = OneAtATime<All>;
  using Base = backend::LibraryCalls<Engine, All>;
  using typename Base::Inside;

 public:
  template <class Slow>
  static MMT_ALWAYS_INLINE void* allocate_or(size_t bytes, Slow&& slow) {
    Client* const client = All::open();
    if (MMT_UNLIKELY(All::is_closed(client))) return slow(bytes);
    All::enter();
    void* block = client->take(bytes);
    All::leave(client);
    return MMT_LIKELY(block != nullptr) ? block : slow(bytes);
  }
  template <class Slow>
  static MMT_ALWAYS_INLINE void deallocate_or(void* block, Slow&& slow) {
    Client* const client = All::open();
    if (MMT_UNLIKELY(All::is_closed(client) || block == nullptr || All::is_reserved(block))) {
      return slow(block);
    }
    All::enter();
    const bool is_done = client->give(block);
    All::leave(client);
    if (MMT_UNLIKELY(!is_done)) slow(block);
  }

  static void* allocate_slow(size_t bytes) {
    return Base::ask(bytes, [=] { return allocate_once(bytes); });
  }
  static bool deallocate_slow(void* block) {
    if (block == nullptr || Base::is_freed_here(block)) return true;
    const Inside inside;
    if (Client* const client = served()) {
      client->free(block);
    } else {
      backend::library.free(block);
    }
    return true;
  }
  static void* allocate_zeroed(size_t bytes) {
    return Base::ask(bytes, [=] { return allocate_zeroed_once(bytes); });
  }

  // Large blocks come past the clients, but go back through them.
  static void count(size_t bytes) {
    if constexpr (requires(Client & client) { client.count(bytes); }) {
      if (Client* const client = served()) client->count(bytes);
    }
  }

  // While one lives that a thread of the program's made, the memory thread keeps still. One that
  // the library makes changes nothing.
  class Stillness {
   public:
    Stillness() : is_kept_(!All::is_inside()) {
      if (is_kept_) Thread::pause();
    }
    ~Stillness() {
      if (is_kept_) Thread::resume();
    }
    Stillness(const Stillness&) = delete;
    Stillness& operator=(const Stillness&) = delete;

   private:
    bool is_kept_;
  };

  // Gives back what the calling thread holds of the library's, unless the memory thread is long in
  // coming to rest. The memory thread may sleep, or wait for a lock of the library's that the
  // caller holds.
  static void settle() {
    if (All::is_inside() || !Thread::try_pause(kShortWhileNs)) return;
    All::clear_own();
    Thread::resume();
  }

  // The library has no memory for a thread that is not inside: the same, after what is on its way
  // to it.
  static void gather() {
    Thread::await_idle(kShortWhileNs);
    settle();
  }

  static void hand_over_rights(const sys::SystemCall& made) { Thread::hand_over_rights(made); }
  static void follow_class_of_caller() { Thread::follow_class_of_caller(); }

  static void install_fork_handlers() {
    static bool is_done = false;
    if (is_done) return;
    is_done = true;
    Thread::adopt_process();
    All::install([](void* ended) {
      All::end(ended, Thread::clears);
      Thread::wake();
    });
    // A handler that has forked returns in a child that has no memory thread, to a client that is
    // about to ask it.
    Wake::now = [] {
      All::await_answer();
      Thread::clears() ? Thread::wake_now() : All::answer_own();
    };
    Wake::if_parked = Thread::wake;
    Wake::no_more = All::await_no_more;
    sys::prepare_barrier();
    ::pthread_atfork(begin_fork, end_fork, after_fork_in_child);
    is_registered_ = true;
    backend::find_library();
    if (is_single_threaded()) Turns::install();
    // The library may register handlers of its own at its first call, which are then in between. So
    // in a child the library is in order again before its thread's request is answered.
    warm_library();
  }
  // Somebody has registered a fork handler. The library's handler takes locks that the memory
  // thread may need to come to rest. So the memory thread must have come to rest before, by
  // handlers that are registered later. The library may have been asked to register ours, and have
  // registered its own first. Then it is ours that are the later ones.
  static void handler_registered(void (*prepare)()) {
    if (!is_registered_) return;
    backend::find_library();
    if (prepare == nullptr || !backend::is_of_library(reinterpret_cast<const void*>(prepare)))
      return;
    library_handlers_.fetch_add(1, std::memory_order_relaxed);
    ::pthread_atfork(begin_fork, end_fork, [] {
      All::answer_own();
      end_fork_in_library();
    });
  }

 private:
  static constexpr size_t kZeroedHere = 4096;  // what the library's calloc need not do
  static constexpr uint64_t kShortWhileNs = 50 * sys::kNanosAMilli;

  // Relaxed: written while there is one thread, or under libc's lock of the handlers.
  static inline constinit std::atomic<uint32_t> library_handlers_{0};
  static inline bool is_registered_ = false;  // install_fork_handlers() is done with that

  static void* allocate_once(size_t bytes) {
    backend::find_library();
    const Inside inside;
    if (inside.is_librarys()) return backend::library.malloc(bytes);
    if (!inside.is_first()) return All::allocate_reserved(bytes, layers::kBlockAlignment);
    Thread::note(bytes);
    Client* const client = served();
    return client != nullptr ? client->allocate(bytes) : backend::library.malloc(bytes);
  }
  static void* allocate_zeroed_once(size_t bytes) {
    if (bytes > kZeroedHere) {
      backend::find_library();
      const Inside inside;
      if (inside.is_librarys()) return backend::library.calloc(1, bytes);
      if (inside.is_first()) {
        count(bytes);
        return backend::library.calloc(1, bytes);
      }
    }
    void* block = allocate_or(bytes, allocate_once);
    return block == nullptr ? nullptr : memset(block, 0, bytes);
  }

  // A library had better not look up what its first calls need while the dynamic linker is at work.
  // The first free of oneTBB calls dlsym, which frees what a dlopen that is under way goes on to
  // use.
  static void warm_library() {
    const Inside inside;
    backend::library.free(backend::library.malloc(1));
  }
  // This thread's client while there is a memory thread, which is then open; else it is closed.
  static Client* served() {
    Client* const client = Thread::is_running() ? All::attach() : nullptr;
    All::open_next(client != nullptr);
    return client;
  }
  static bool is_single_threaded() {
    return backend::options.library == backend::LibraryKind::kSingleThreaded;
  }
  static void begin_fork() {
    Thread::pause();
    if (All::begin_fork() && is_single_threaded()) Turns::begin_fork();
  }
  static void end_fork_in_library() {
    if (All::end_fork() && is_single_threaded()) Turns::end_fork();
  }
  static void end_fork() {
    end_fork_in_library();
    Thread::resume();
  }
  static void after_fork_in_child() {
    const uint32_t others = library_handlers_.load(std::memory_order_relaxed);
    Thread::after_fork_in_child(1 + others);
    if constexpr (requires { Protocol::Shared::reset_in_child(); }) {
      Protocol::Shared::reset_in_child();
    }
    Turns::reset_in_child();
    All::reset_in_child(1 + others);
    if (others == 0) All::answer_own();
    end_fork_in_library();
  }
};

}  // namespace mmt::protocols
