#pragma once
// OneAtATime is for a library that knows of no threads (`library=single-threaded`). Each of the
// library's calls is made by one thread at a time. The memory thread waits for its turn. A client
// that does not get the library at once is served from the reserve, and what it frees waits
// (clients.h). The client itself waits for what nobody else can answer: sizes, figures, and more
// memory than the reserve has. The call malloc_stats tells how often the library was taken.
#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>

#include "backend/copy_unsized.h"
#include "backend/library.h"
#include "protocols/primitives.h"

namespace mmt::protocols {

// All static, as there is one library.
template <class Clients>
class OneAtATime {
 public:
  // Puts itself before the library's functions: once, while there is one thread.
  static void install() {
    if (backend::library.malloc == malloc) return;
    plain_ = backend::library;
    backend::library = {malloc, free,          calloc, realloc,    memalign,   usable_size,
                        trim,   set_parameter, info,   print_info, print_stats};
  }

  // Between them the library is this thread's, so that a fork's child finds it whole.
  static void begin_fork() { fork_ = wait(); }
  static void end_fork() { leave(fork_); }
  // A handler's fork may have come before its turn.
  static void reset_in_child() {
    if (holder_.load(std::memory_order_relaxed) != self()) holder_.store(0);
  }

  // Calls that found the library taken, so far: served from the reserve, and frees put off.
  static uint64_t blocks_beside() { return blocks_beside_.load(std::memory_order_relaxed); }
  static uint64_t frees_put_off() { return frees_put_off_.load(std::memory_order_relaxed); }

 private:
  // kNested: the library calls itself, or a handler has interrupted it and then waits for nothing.
  enum class Turn : uint8_t { kNone, kOuter, kNested };
  static constexpr uint32_t kTries = 64;

  static uintptr_t self() { return reinterpret_cast<uintptr_t>(__builtin_thread_pointer()); }

  static Turn take() {
    uintptr_t holder = holder_.load(std::memory_order_relaxed);
    if (holder == self()) return Turn::kNested;
    // Acquire, and release in leave(): what the last one has done is seen.
    const bool is_taken =
        holder == 0 && holder_.compare_exchange_strong(holder, self(), std::memory_order_acquire,
                                                       std::memory_order_relaxed);
    return is_taken ? Turn::kOuter : Turn::kNone;
  }
  static Turn wait() {
    Turn turn = Turn::kNone;
    wait_until([&] { return (turn = take()) != Turn::kNone; });
    return turn;
  }
  static Turn try_take() {
    if (MMT_UNLIKELY(LongWait::is_server)) return wait();
    Turn turn = take();
    for (uint32_t i = 0; turn == Turn::kNone && i < kTries; ++i) {
      core::cpu_relax();
      turn = take();
    }
    return turn;
  }
  static void leave(Turn turn) {
    if (turn == Turn::kOuter) holder_.store(0, std::memory_order_release);
  }

  // The call in its turn; or what else() gives, unless that is null.
  template <class Call, class Else>
  static void* call_or(Call&& call, Else&& other) {
    Turn turn = try_take();
    if (MMT_UNLIKELY(turn == Turn::kNone)) {
      if (void* block = other()) {
        blocks_beside_.fetch_add(1, std::memory_order_relaxed);
        return block;
      }
      turn = wait();
    }
    void* const block = call();
    leave(turn);
    return block;
  }
  template <class Call>
  static auto call_in_turn(Call&& call) {
    const Turn turn = wait();
    const auto result = call();
    leave(turn);
    return result;
  }
  static void* reserved(size_t bytes, size_t alignment = layers::kBlockAlignment) {
    return Clients::allocate_beside(bytes, alignment);
  }

  static void* malloc(size_t bytes) {
    return call_or([=] { return plain_.malloc(bytes); }, [=] { return reserved(bytes); });
  }
  static void free(void* block) {
    const Turn turn = try_take();
    if (MMT_UNLIKELY(turn == Turn::kNone)) {
      frees_put_off_.fetch_add(1, std::memory_order_relaxed);
      return Clients::defer_free(block);
    }
    plain_.free(block);
    leave(turn);
  }
  static void* calloc(size_t count, size_t size) {
    return call_or([=] { return plain_.calloc(count, size); },
                   [=]() -> void* {
                     size_t bytes;
                     if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
                     void* const block = reserved(bytes);
                     return block == nullptr ? nullptr : std::memset(block, 0, bytes);
                   });
  }
  static void* realloc(void* block, size_t bytes) {
    return call_or([=] { return plain_.realloc(block, bytes); },
                   [=]() -> void* {
                     if (block == nullptr || bytes == 0) return nullptr;
                     void* const moved = reserved(bytes);
                     if (moved == nullptr) return nullptr;
                     if (!backend::copy_unsized(moved, block, bytes)) {
                       Clients::free_reserved(moved);
                       return nullptr;
                     }
                     Clients::defer_free(block);
                     return moved;
                   });
  }
  static void* memalign(size_t alignment, size_t bytes) {
    return call_or([=] { return plain_.memalign(alignment, bytes); },
                   [=] { return reserved(bytes, alignment); });
  }
  static size_t usable_size(void* block) {
    return call_in_turn([=] { return plain_.usable_size(block); });
  }
  static int trim(size_t pad) {
    return call_in_turn([=] { return plain_.trim(pad); });
  }
  static int set_parameter(int parameter, int value) {
    return call_in_turn([=] { return plain_.set_parameter(parameter, value); });
  }
  static struct mallinfo2 info() {
    return call_in_turn([] { return plain_.info(); });
  }
  static int print_info(int options, FILE* stream) {
    return call_in_turn([=] { return plain_.print_info(options, stream); });
  }
  static void print_stats() {
    call_in_turn([] { return plain_.print_stats(), 0; });
    fprintf(stderr, "mmt: library taken: %lu blocks from the reserve, %lu frees put off\n",
            blocks_beside(), frees_put_off());
  }

  static inline constinit backend::Library plain_{};
  static inline constinit std::atomic<uintptr_t> holder_{0};  // by its thread pointer; 0: nobody
  static inline constinit std::atomic<uint64_t> blocks_beside_{0};
  static inline constinit std::atomic<uint64_t> frees_put_off_{0};
  static inline thread_local Turn fork_ = Turn::kNone;
};

}  // namespace mmt::protocols
