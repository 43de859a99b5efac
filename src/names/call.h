#pragma once
// What a call of the malloc family says beyond its arguments. It says by which name it came, from
// where, and what the program believes of a block that it frees. A process's heap P that asks has a
// type P::Call, which is made of a Form, the caller, and two sizes. P's functions then take one
// more argument. For any other P a call is empty, and nothing is compiled for it.
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <mmt/core/compiler.h>

namespace mmt::names {

// The families of names: a block is to be freed by the family that allocated it.
enum class Form : uint8_t { kMalloc, kNew, kNewArray, kNewAligned, kNewArrayAligned };

// A size or an alignment that a call does not tell.
inline constexpr size_t kUntold = ~size_t{0};

struct NoCall {
  constexpr NoCall() = default;
  constexpr NoCall(Form, const void*, size_t, size_t) {}
};

namespace detail {
template <class P>
struct CallOf {
  using Type = NoCall;
};
template <class P>
requires requires { typename P::Call; }
struct CallOf<P> {
  using Type = typename P::Call;
};
}  // namespace detail

template <class P>
using CallOf = typename detail::CallOf<P>::Type;

// The call by which the function came here that this is compiled into.
template <class P>
MMT_ALWAYS_INLINE CallOf<P> by(Form form, size_t bytes = kUntold, size_t alignment = kUntold) {
  return {form, __builtin_return_address(0), bytes, alignment};
}

// P's functions, with the call as their last argument.
template <class P>
struct Asked {
  using Call = CallOf<P>;
  static constexpr bool kAsks = !std::is_same_v<Call, NoCall>;

  template <class Slow>
  static MMT_ALWAYS_INLINE void* allocate_or(size_t bytes, Slow&& slow, Call call) {
    if constexpr (kAsks)
      return P::allocate_or(bytes, std::forward<Slow>(slow), call);
    else
      return P::allocate_or(bytes, std::forward<Slow>(slow));
  }
  template <class Slow>
  static MMT_ALWAYS_INLINE void deallocate_or(void* block, Slow&& slow, Call call) {
    if constexpr (kAsks)
      P::deallocate_or(block, std::forward<Slow>(slow), call);
    else
      P::deallocate_or(block, std::forward<Slow>(slow));
  }
  static void* allocate_slow(size_t bytes, Call call) {
    if constexpr (kAsks)
      return P::allocate_slow(bytes, call);
    else
      return P::allocate_slow(bytes);
  }
  static bool deallocate_slow(void* block, Call call) {
    if constexpr (kAsks)
      return P::deallocate_slow(block, call);
    else
      return P::deallocate_slow(block);
  }
  static void* allocate_aligned(size_t bytes, size_t alignment, Call call) {
    if constexpr (kAsks)
      return P::allocate_aligned(bytes, alignment, call);
    else
      return P::allocate_aligned(bytes, alignment);
  }
  static void* allocate_zeroed(size_t bytes, Call call) {
    if constexpr (kAsks)
      return P::allocate_zeroed(bytes, call);
    else
      return P::allocate_zeroed(bytes);
  }
  static void* reallocate(void* block, size_t bytes, Call call) {
    if constexpr (kAsks)
      return P::reallocate(block, bytes, call);
    else
      return P::reallocate(block, bytes);
  }
  static size_t usable_size(const void* block, Call call) {
    if constexpr (kAsks)
      return P::usable_size(block, call);
    else
      return P::usable_size(block);
  }
};

}  // namespace mmt::names
