#pragma once
// Copying, filling and comparing memory without a call: for code that runs inside malloc and free,
// where libc's functions may be somebody else's. Contracts are those of memmove, memset and memcmp.
// Small sizes take a few overlapping loads and stores, all loads first.
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

namespace mmt::sys::own {

typedef uint8_t Vector __attribute__((vector_size(16)));

inline constexpr size_t kVector = sizeof(Vector);
inline constexpr size_t kStep = 4 * kVector;

// One value in memory, anywhere, of whatever type that is. (A memcpy of it may become a call.)
template <class T>
struct __attribute__((packed, may_alias)) Unaligned {
  T value;
};

// Neighbours in memory, anywhere, which are registers meanwhile.
template <class T, size_t kCount>
struct Parts {
  T part[kCount];

  static MMT_ALWAYS_INLINE Parts load(const char* from) {
    Parts parts;
    MMT_UNROLL
    for (size_t i = 0; i < kCount; ++i)
      parts.part[i] = reinterpret_cast<const Unaligned<T>*>(from)[i].value;
    return parts;
  }
  static MMT_ALWAYS_INLINE Parts filled(T value) {
    Parts parts;
    MMT_UNROLL
    for (size_t i = 0; i < kCount; ++i) parts.part[i] = value;
    return parts;
  }
  MMT_ALWAYS_INLINE void store(char* to) const {
    MMT_UNROLL
    for (size_t i = 0; i < kCount; ++i) reinterpret_cast<Unaligned<T>*>(to)[i].value = part[i];
  }
};
using Step = Parts<Vector, 4>;

// Parts from both ends, which overlap unless the size is twice theirs.
template <class Some>
MMT_ALWAYS_INLINE void move_ends(char* to, const char* from, size_t size) {
  const size_t tail = size - sizeof(Some);
  const Some first = Some::load(from);
  const Some last = Some::load(from + tail);
  first.store(to);
  last.store(to + tail);
}

template <class Some>
MMT_ALWAYS_INLINE void fill_ends(char* to, Some value, size_t size) {
  value.store(to);
  value.store(to + size - sizeof(Some));
}

// Bytes from `at` to the next place where a vector is aligned; not none.
inline size_t to_alignment(const char* at) {
  return kVector - (reinterpret_cast<uintptr_t>(at) & (kVector - 1));
}

// Two steps at least, upwards: `to` is below `from`, or they do not overlap.
inline void move_up(char* to, const char* from, size_t size) {
  char* const end = to + size - kStep;
  const auto first = Parts<Vector, 1>::load(from);
  const Step last = Step::load(from + size - kStep);
  const size_t skip = to_alignment(to);
  from += skip;
  char* at = to + skip;
  Step step = Step::load(from);
  first.store(to);
  for (;;) {
    step.store(at);
    at += kStep;
    from += kStep;
    if (at >= end) break;
    step = Step::load(from);
  }
  last.store(end);
}

// Two steps at least, downwards: `to` is above `from`.
inline void move_down(char* to, const char* from, size_t size) {
  const Step first = Step::load(from);
  for (; size > kStep; size -= kStep) Step::load(from + size - kStep).store(to + size - kStep);
  first.store(to);
}

inline void fill_up(char* to, Vector value, size_t size) {
  char* const end = to + size - kStep;
  const Step step = Step::filled(value);
  Parts<Vector, 1>::filled(value).store(to);
  for (char* at = to + to_alignment(to); at < end; at += kStep) step.store(at);
  step.store(end);
}

// Sizes that move_small() and fill_small() leave to others.
inline constexpr size_t kSmall = 2 * kStep;

inline void* move_large(void* target, const void* source, size_t size) {
  auto* const to = static_cast<char*>(target);
  const auto* const from = static_cast<const char*>(source);
  // Above `from`, and within it.
  static_cast<size_t>(to - from) < size ? move_down(to, from, size) : move_up(to, from, size);
  return to;
}

inline void* fill_large(void* target, int byte, size_t size) {
  fill_up(static_cast<char*>(target), Vector{} + static_cast<uint8_t>(byte), size);
  return target;
}

// At most kSmall bytes.
MMT_ALWAYS_INLINE void* move_small(void* target, const void* source, size_t size) {
  auto* const to = static_cast<char*>(target);
  const auto* const from = static_cast<const char*>(source);
  if (size > 64)
    move_ends<Step>(to, from, size);
  else if (size > 32)
    move_ends<Parts<Vector, 2>>(to, from, size);
  else if (size >= 16)
    move_ends<Parts<Vector, 1>>(to, from, size);
  else if (size >= 8)
    move_ends<Parts<uint64_t, 1>>(to, from, size);
  else if (size >= 4)
    move_ends<Parts<uint32_t, 1>>(to, from, size);
  else if (size >= 2)
    move_ends<Parts<uint16_t, 1>>(to, from, size);
  else if (size != 0)
    *to = *from;
  return to;
}

// At most kSmall bytes.
MMT_ALWAYS_INLINE void* fill_small(void* target, uint8_t byte, size_t size) {
  auto* const to = static_cast<char*>(target);
  const Vector value = Vector{} + byte;
  const uint64_t word = byte * uint64_t{0x0101010101010101};
  if (size > 64)
    fill_ends(to, Step::filled(value), size);
  else if (size > 32)
    fill_ends(to, Parts<Vector, 2>::filled(value), size);
  else if (size >= 16)
    fill_ends(to, Parts<Vector, 1>::filled(value), size);
  else if (size >= 8)
    fill_ends(to, Parts<uint64_t, 1>{word}, size);
  else if (size >= 4)
    fill_ends(to, Parts<uint32_t, 1>{static_cast<uint32_t>(word)}, size);
  else if (size >= 2)
    fill_ends(to, Parts<uint16_t, 1>{static_cast<uint16_t>(word)}, size);
  else if (size != 0)
    *to = static_cast<char>(byte);
  return to;
}

inline int compare(const void* left, const void* right, size_t size) {
  const auto* a = static_cast<const unsigned char*>(left);
  const auto* b = static_cast<const unsigned char*>(right);
  for (size_t i = 0; i < size; ++i)
    if (a[i] != b[i]) return a[i] - b[i];
  return 0;
}

}  // namespace mmt::sys::own
