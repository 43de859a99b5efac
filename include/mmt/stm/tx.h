// What a transaction's body is given: reads and writes of single values, blocks, and ways to end.
// Valid in the body alone: where no transaction runs each call throws std::logic_error. A read or
// an allocation that is refused ends the attempt by an exception of its own, Aborted. Bodies let it
// pass: destructors run, and the body begins anew. A write or a free that is refused is silent, so
// that destructors may make them. The next read, allocation or the body's end then begins it anew.
// Without memory for logs both throw std::bad_alloc. Sizes are bytes. It is one thread's.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <mmt/stm/thread.h>

namespace mmt::stm {

// No std::exception: handlers of errors do not meet it.
struct Aborted {};

// What a single read or write takes.
template <class T>
concept Value = std::is_trivially_copyable_v<T> &&
    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);

class Tx {
 public:
  explicit Tx(Thread& thread) : thread_(thread) {}
  Tx(const Tx&) = delete;
  Tx& operator=(const Tx&) = delete;

  // May lie anywhere: of a value across two words each byte is read by itself.
  template <Value T>
  MMT_ALWAYS_INLINE std::remove_cv_t<T> read(const T& at) {
    RawOf<sizeof(T)> raw;
    const void* const place = std::addressof(at);
    if (MMT_UNLIKELY(!thread_.is_usual<sizeof(T)>(place))) {
      raw = read_unusual<sizeof(T)>(place);
    } else if (MMT_UNLIKELY(!thread_.read_fast<sizeof(T)>(place, &raw))) {
      raw = static_cast<RawOf<sizeof(T)>>(read_part(place, sizeof(T)));
    }
    return std::bit_cast<std::remove_cv_t<T>>(raw);
  }

  template <Value T>
  void write(T& at, std::type_identity_t<T> value) {
    const auto raw = std::bit_cast<RawOf<sizeof(T)>>(value);
    void* const place = std::addressof(at);
    if (MMT_UNLIKELY(reinterpret_cast<uintptr_t>(place) % sizeof(T) != 0)) {
      write_bytes(place, &raw, sizeof(T));
    } else {
      write_part(place, sizeof(T), raw);
    }
  }

  // Null when the allocator says no. Undone when the attempt aborts.
  [[nodiscard]] void* allocate(size_t bytes) {
    go_on();
    return thread_.allocate(bytes);
  }
  // At commit; null is nothing. `bytes`: how many it has, as far as they are known: they are needed
  // to lock all its words, and to keep it for later.
  void free(void* block, size_t bytes = 0) {
    if (block != nullptr && !thread_.free(block, bytes)) refused();
  }

  // An object of the transaction's own until it commits, and one that is freed at commit. create()
  // throws std::bad_alloc when the allocator says no, and frees the block when T's constructor
  // throws.
  template <class T, class... Arguments>
  T* create(Arguments&&... arguments) {
    static_assert(alignof(T) <= alignof(std::max_align_t));
    static_assert(std::is_trivially_destructible_v<T>, "an abort frees it without its destructor");
    void* const block = allocate(sizeof(T));
    if (block == nullptr) throw std::bad_alloc();
    try {
      return ::new (block) T(std::forward<Arguments>(arguments)...);
    } catch (...) {
      // At commit, as the constructor may have written there. Refused, the attempt is doomed.
      thread_.free(block, sizeof(T));
      throw;
    }
  }
  template <class T>
  void destroy(T* object) {
    static_assert(std::is_trivially_destructible_v<T>, "it is freed without its destructor");
    free(object, sizeof(T));
  }

  // Ends the attempt; the body begins anew, once others had a turn. An irrevocable transaction
  // cannot, and std::logic_error is thrown.
  [[noreturn]] void retry() {
    if (thread_.irrevocable())
      throw std::logic_error("mmt::stm: retry in an irrevocable transaction");
    thread_.fail(Reason::kRetry);
    abort();
  }
  // From here on nobody else runs until this transaction commits, which it does unless the body
  // throws. May begin anew first.
  void become_irrevocable() {
    if (!thread_.become_irrevocable()) abort();
  }
  bool irrevocable() const { return thread_.irrevocable(); }

 private:
  using Word = RealWorld::Word;

  static Part part_of(const void* place, size_t bytes) {
    return {static_cast<uint8_t>(reinterpret_cast<uintptr_t>(place) % 8),
            static_cast<uint8_t>(bytes)};
  }
  static uintptr_t word_of(const void* place) {
    return reinterpret_cast<uintptr_t>(place) & ~uintptr_t{7};
  }

  MMT_NOINLINE uint64_t read_part(const void* place, size_t bytes) {
    const Part part = part_of(place, bytes);
    uint64_t word = 0;
    if (!thread_.read(reinterpret_cast<const Word*>(word_of(place)), part, &word)) abort();
    return (word & part.mask()) >> part.shift();
  }
  template <size_t kBytes>
  MMT_NOINLINE RawOf<kBytes> read_unusual(const void* place) {
    RawOf<kBytes> raw;
    if (reinterpret_cast<uintptr_t>(place) % kBytes != 0) {
      read_bytes(place, &raw, kBytes);
    } else if (MMT_UNLIKELY(!thread_.read_hashed<kBytes>(place, &raw))) {
      raw = static_cast<RawOf<kBytes>>(read_part(place, kBytes));
    }
    return raw;
  }
  MMT_COLD void read_bytes(const void* place, void* out, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) {
      static_cast<unsigned char*>(out)[i] =
          static_cast<unsigned char>(read_part(static_cast<const char*>(place) + i, 1));
    }
  }
  void write_part(void* place, size_t bytes, uint64_t raw) {
    const Part part = part_of(place, bytes);
    if (MMT_UNLIKELY(!thread_.write(reinterpret_cast<Word*>(word_of(place)), raw << part.shift(),
                                    part.mask()))) {
      refused();
    }
  }
  MMT_COLD void write_bytes(void* place, const void* raw, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) {
      write_part(static_cast<char*>(place) + i, 1, static_cast<const unsigned char*>(raw)[i]);
    }
  }

  void go_on() {
    if (MMT_UNLIKELY(thread_.doomed())) abort();
  }
  // Called when a write or a free is refused. In a destructor that an exception runs, another
  // exception would end the process.
  MMT_COLD void refused() {
    if (!thread_.running()) abort();
    if (thread_.reason() == Reason::kNoMemory && std::uncaught_exceptions() == 0) abort();
  }
  [[noreturn]] MMT_COLD void abort() {
    if (!thread_.running()) throw std::logic_error("mmt::stm: a Tx outside of its transaction");
    if (thread_.reason() == Reason::kNoMemory) throw std::bad_alloc();
    throw Aborted();
  }

  Thread& thread_;
};

}  // namespace mmt::stm
