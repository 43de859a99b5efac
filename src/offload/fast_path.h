#pragma once
// The two fast paths as restartable sequences (rseq(2)): a thread that is interrupted by a signal,
// preempted or migrated inside one leaves it for the slow path, so that a handler's malloc or free
// in between cannot make it hand out a block twice. Each ends with one store that commits it.
//
// None is begun again: a tracer that steps through one instruction by instruction interrupts it
// each time. The slow path gives what the cache holds inside an Entry, and needs no sequence.
//
// What else is done with a block is a policy's, after it was taken and before it is given: with
// none, nothing is compiled for it.
//
// On architectures without a sequence here, clients are never `restartable`, so these are never
// reached with a real client.
#include <cstddef>

#include <mmt/core/compiler.h>

#include "offload/client.h"

namespace mmt::offload {

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
  "movq %c[slot_offset](%[fast]), %[cell]\n" \
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

// Takes the newest cached block of class `c`; the result of empty() when there is none, or when the
// thread was interrupted: there may be one then.
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
        [slot_offset] "i"(offsetof(FastPart, rseq_slot))
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
        [slot_offset] "i"(offsetof(FastPart, rseq_slot))
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

// The same inside an Entry, where nothing can interfere.
inline void* pop_exclusive(Client& client, SizeClass c) {
  void** top = client.fast.top[c];
  if (*top == nullptr) return nullptr;
  client.fast.top[c] = top - 1;
  return *top;
}

inline bool push_exclusive(Client& client, SizeClass c, void* block) {
  void** top = client.fast.top[c];
  if (top >= client.fast.limit[c]) return false;
  top[1] = block;
  client.fast.top[c] = top + 1;
  return true;
}

}  // namespace mmt::offload
