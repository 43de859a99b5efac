// The seam between the designs and the machine. The designs are templates on `class World`.
// RealWorld is the machine. The model checker of tests/model brings a World of its own, so that it
// checks what is shipped. A World is a Sync (sync/model.h) that knows words besides. A word is
// eight bytes of the program's memory at a multiple of eight, and one access takes a part of it.
//
// Every access to the program's words is atomic, as other threads may be at them: a load acquires
// what the store of the value released.
#pragma once

#include <sched.h>
#include <sys/mman.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::stm {

inline constexpr sync::OrderSite kWordStore{
    "word.store", std::memory_order_release,
    "kWordLoad: whoever reads the value also finds the lock that its writer took before"};
inline constexpr sync::OrderSite kWordLoad{
    "word.load", std::memory_order_acquire,
    "kWordStore: the second look at the lock is no older than the value"};

// 1, 2, 4 or 8 bytes of a word, at a multiple of their number.
struct Part {
  uint8_t first;
  uint8_t bytes;

  constexpr unsigned shift() const {
    return 8U * (std::endian::native == std::endian::little ? first : 8U - first - bytes);
  }
  constexpr uint64_t mask() const { return (~uint64_t{0} >> (64 - 8 * bytes)) << shift(); }
};
inline constexpr Part kWholeWord{0, 8};

namespace detail {
template <size_t kBytes>
struct Raw;
template <>
struct Raw<1> {
  using Type = uint8_t;
};
template <>
struct Raw<2> {
  using Type = uint16_t;
};
template <>
struct Raw<4> {
  using Type = uint32_t;
};
template <>
struct Raw<8> {
  using Type = uint64_t;
};
}  // namespace detail
template <size_t kBytes>
using RawOf = typename detail::Raw<kBytes>::Type;

// What the tests plant, to see that they find it.
enum class Fault : uint8_t {
  kNone,
  kForgetsToValidate,  // whatever was read counts as unchanged
  // A deferred clock stays behind what an attempt meets that runs alone, what an extension meets,
  // or what a commit locks.
  kBeginsAloneWithoutRaising,
  kExtendsWithoutRaising,
  kLocksWithoutRaising,
  kLooksOnce,  // a fast read does not look at its orec again
};

struct RealWorld : sync::RealSync {
  struct Word;  // only ever pointed to

  // Threads that a memory has at one time.
  static constexpr uint32_t kMostThreads = 512;
  static constexpr Fault kPlanted = Fault::kNone;
  static constexpr int kPatience = 256;  // looks at a lock that is soon free

  // The value lies where it lies in the word.
  static MMT_ALWAYS_INLINE uint64_t load(const Word* word, Part part) {
    const char* const at = reinterpret_cast<const char*>(word) + part.first;
    if (part.bytes == 8) return load_raw<8>(at);
    if (part.bytes == 4) return uint64_t{load_raw<4>(at)} << part.shift();
    if (part.bytes == 2) return uint64_t{load_raw<2>(at)} << part.shift();
    return uint64_t{load_raw<1>(at)} << part.shift();
  }

  // Those bytes of the value that the mask selects, and no others: what lies beside them may be
  // another's. It goes by accesses as large as can be.
  static void store(Word* word, uint64_t value, uint64_t mask) {
    if (MMT_LIKELY(mask == ~uint64_t{0})) return store_raw<8>(word, value);
    store_parts(word, value, mask, Part{0, 4});
    store_parts(word, value, mask, Part{4, 4});
  }

  // Whatever type the program keeps there: std::atomic_ref could not say so, hence the builtins it
  // is made of.
  template <size_t kBytes>
  static MMT_ALWAYS_INLINE RawOf<kBytes> load_raw(const void* at) {
    typedef RawOf<kBytes> __attribute__((may_alias)) Any;  // NOLINT: `using` drops the attribute
    return __atomic_load_n(static_cast<const Any*>(at), __ATOMIC_ACQUIRE);
  }
  template <size_t kBytes>
  static MMT_ALWAYS_INLINE void store_raw(void* at, uint64_t value) {
    typedef RawOf<kBytes> __attribute__((may_alias)) Any;  // NOLINT
    __atomic_store_n(static_cast<Any*>(at), static_cast<RawOf<kBytes>>(value), __ATOMIC_RELEASE);
  }

  // Until `done` says so. Whoever is waited for may have no CPU.
  template <class Done>
  static void wait_until(Done&& done) {
    for (int i = 0; !done(); ++i) {
      if (i < kPatience)
        relax();
      else
        sched_yield();
    }
  }

  // Zero-filled, and of no page until it is used; not from the allocator that is studied. Null when
  // there is no memory. `count`: entries.
  template <class T>
  static T* make_array(size_t count) {
    void* const at = ::mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? nullptr : static_cast<T*>(at);
  }
  template <class T>
  static void free_array(T* array, size_t count) {
    ::munmap(static_cast<void*>(array), count * sizeof(T));
  }

 private:
  static void store_parts(Word* word, uint64_t value, uint64_t mask, Part part) {
    const uint64_t here = part.mask();
    if ((mask & here) == 0) return;
    if ((mask & here) != here) {
      const auto half = static_cast<uint8_t>(part.bytes / 2);
      store_parts(word, value, mask, Part{part.first, half});
      store_parts(word, value, mask, Part{static_cast<uint8_t>(part.first + half), half});
      return;
    }
    char* const at = reinterpret_cast<char*>(word) + part.first;
    if (part.bytes == 4) return store_raw<4>(at, value >> part.shift());
    if (part.bytes == 2) return store_raw<2>(at, value >> part.shift());
    store_raw<1>(at, value >> part.shift());
  }
};

}  // namespace mmt::stm
