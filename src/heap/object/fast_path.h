#pragma once
// The fast paths of malloc and free consist of a thread's caches, the words by which it finds them,
// and two restartable sequences (rseq(2)). One sequence takes a block from the caches, and the
// other puts one there. A thread that is interrupted by a signal, preempted or migrated inside a
// sequence leaves it for the slow path. So a handler's malloc or free in between cannot make the
// thread hand out a block twice. Each sequence ends with one store that commits it.
//
// No sequence is begun again: a tracer that steps through one instruction by instruction interrupts
// it each time. The slow path gives what the cache holds inside an Entry, and needs no sequence.
//
// A policy may do more with a block, after it was taken and before it is given. With no policy,
// nothing is compiled for it. On architectures without a sequence here, clients are never
// `restartable`, so these are never reached with a real client.
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "heap/store/object_states.h"
#include "heap/store/region.h"
#include "heap/store/size_class.h"

namespace mmt::heap {

// What the fast paths touch; its offsets are part of their instruction sequences.
struct FastPart {
  // top[c] points at the newest cached block of class c. Below the oldest lies a null entry, so an
  // empty cache is one whose newest entry is null.
  // Codes that are no size class have a cache that is both empty and full.
  void** top[store::kClassCodes];
  // A cache is full when top[c] == limit[c].
  void** limit[store::kClassCodes];
  // Where the kernel looks for the running restartable sequence.
  uint64_t* rseq_word;
  // Class of a size up to kMaxSmallSize, by (size + 15) / 16.
  uint8_t class_of_step[store::kMaxSmallSize / 16 + 1];
};

// The fast paths look at the part of the thread's client, or at the empty part, whose caches are
// all empty and full. The empty part stands here whenever the fast paths must not be taken. That is
// so without a client yet, while a slow path is under way, and when the thread has ended. It is
// also so where restartable sequences are not to be had or not wanted.
extern __thread FastPart* current_fast;
// Constant: read by any thread.
extern FastPart empty_fast_part;

// Which sizes are the fast path's. None, until there is a client: it may be that the library has
// not been relocated, and current_fast cannot be read.
class alignas(core::kNoSharing) FastSizes {
 public:
  // Compilers do not make an atomic load part of the comparison, so only ThreadSanitizer gets one.
  // A thread that sees the end late takes the slow path.
  MMT_ALWAYS_INLINE bool include(size_t bytes) const {
    if constexpr (core::kThreadSanitizer) return bytes < __atomic_load_n(&end_, __ATOMIC_RELAXED);
    return bytes < end_;
  }
  void open() {
    __atomic_store_n(&end_, store::kMaxSmallSize + 1 - store::kObjectTailBytes, __ATOMIC_RELAXED);
  }

 private:
  size_t end_ = 0;
};
// Hidden, as all that is read before the relocation: never by the table of offsets.
[[gnu::visibility("hidden")]] extern FastSizes fast_sizes;

// Blocks come and go as they are. Another policy has the same two functions.
struct NoChecks {
  // A block of class `c` leaves the cache for the program.
  static void taken(void* /*block*/, size_t /*c*/) {}
  // The program gives one back, of a class or one of the region's codes. False: it is let go.
  static bool given(void* /*block*/, size_t /*c*/) { return true; }
};

#if defined(__x86_64__)

// The descriptor of a sequence from label 1 to label 2 whose abort handler is label 4, and the code
// that announces it. The bytes before label 4 are the signature that the kernel demands. Both are
// of the function's section group (?): where the linker drops one copy of an inline function, what
// belongs to it goes too.
#define MMT_RSEQ_BEGIN                       \
  ".pushsection __rseq_cs, \"aw?\"\n"        \
  ".balign 32\n"                             \
  "9: .long 0, 0\n"                          \
  ".quad 1f, 2f - 1f, 4f\n"                  \
  ".popsection\n"                            \
  "leaq 9b(%%rip), %[temporary]\n"           \
  "movq %c[word_offset](%[fast]), %[cell]\n" \
  "movq %[temporary], (%[cell])\n"           \
  "1:\n"

#define MMT_RSEQ_END(slow)                 \
  "2:\n"                                   \
  ".pushsection .text.unlikely, \"ax?\"\n" \
  ".byte 0x0f, 0xb9, 0x3d\n"               \
  ".long 0x53053053\n"                     \
  "4: jmp %l[" #slow                       \
  "]\n"                                    \
  ".popsection\n"

// Takes the newest cached block of class `c`. The result is that of empty() when there is no block,
// or when the thread was interrupted: there may be one then.
template <class Checks = NoChecks, class Empty>
MMT_ALWAYS_INLINE void* pop_cached(FastPart* fast, size_t c, Empty&& empty) {
  void* block;
  void* temporary;
  void* cell;
  __asm__ goto volatile(
      MMT_RSEQ_BEGIN
      "movq %c[top_offset](%[fast], %[c], 8), %[temporary]\n"
      "movq (%[temporary]), %[block]\n"
      "testq %[block], %[block]\n"
      "jz %l[nothing]\n"
      "subq $8, %[temporary]\n"
      "movq %[temporary], %c[top_offset](%[fast], %[c], 8)\n" MMT_RSEQ_END(nothing)
      : [block] "=&r"(block), [temporary] "=&r"(temporary), [cell] "=&r"(cell)
      : [fast] "r"(fast), [c] "r"(c), [top_offset] "i"(offsetof(FastPart, top)),
        [word_offset] "i"(offsetof(FastPart, rseq_word))
      : "memory", "cc"
      : nothing);
  Checks::taken(block, c);
  return block;
nothing:
  return empty();
}

// Caches a block of class `c`; calls full() when there is no room, or when the thread was
// interrupted: there may be room then.
template <class Checks = NoChecks, class Full>
MMT_ALWAYS_INLINE void push_cached(FastPart* fast, size_t c, void* block, Full&& full) {
  if (!Checks::given(block, c)) return;
  void* temporary;
  void* cell;
  __asm__ goto volatile(
      MMT_RSEQ_BEGIN
      "movq %c[top_offset](%[fast], %[c], 8), %[temporary]\n"
      "cmpq %c[limit_offset](%[fast], %[c], 8), %[temporary]\n"
      "jae %l[no_room]\n"
      "movq %[block], 8(%[temporary])\n"
      "addq $8, %[temporary]\n"
      "movq %[temporary], %c[top_offset](%[fast], %[c], 8)\n" MMT_RSEQ_END(no_room)
      : [temporary] "=&r"(temporary), [cell] "=&r"(cell)
      : [fast] "r"(fast), [c] "r"(c), [block] "r"(block), [top_offset] "i"(offsetof(FastPart, top)),
        [limit_offset] "i"(offsetof(FastPart, limit)),
        [word_offset] "i"(offsetof(FastPart, rseq_word))
      : "memory", "cc"
      : no_room);
  return;
no_room:
  full();
}

#undef MMT_RSEQ_BEGIN
#undef MMT_RSEQ_END

#else

template <class Checks = NoChecks, class Empty>
MMT_ALWAYS_INLINE void* pop_cached(FastPart*, size_t, Empty&& empty) {
  return empty();
}
template <class Checks = NoChecks, class Full>
MMT_ALWAYS_INLINE void push_cached(FastPart*, size_t c, void* block, Full&& full) {
  if (Checks::given(block, c)) full();
}

#endif

// malloc: a cached block, else slow(bytes) in tail position.
template <class Slow>
MMT_ALWAYS_INLINE void* allocate_or(size_t bytes, Slow&& slow) {
  // A size that is known as this is compiled is never looked up beyond the table.
  if (__builtin_constant_p(bytes) && bytes > store::kMaxSmallSize) return slow(bytes);
  if (MMT_UNLIKELY(!fast_sizes.include(bytes))) return slow(bytes);
  FastPart* fast = current_fast;
  return pop_cached(fast, fast->class_of_step[(bytes + 15) / 16], [&] { return slow(bytes); });
}

// free of a block that may lie in `region`: into the cache, else slow(block) in tail position.
template <class Slow>
MMT_ALWAYS_INLINE void deallocate_or(const store::Region& region, void* block, Slow&& slow) {
  if (MMT_UNLIKELY(!region.contains(block))) return slow(block);
  push_cached(current_fast, region.class_of(region.slot_index(block)), block,
              [&] { return slow(block); });
}

}  // namespace mmt::heap
