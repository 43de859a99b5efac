#include "harden/capture.h"

#include <sys/uio.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

#include "harden/code.h"
#include "harden/times.h"
#include "heap/object/thread_state.h"

namespace mmt::harden {
namespace {

constexpr size_t kMostBytes = 4096;   // of a stack, that are looked at
constexpr size_t kCopiedWords = 128;  // at once, to our own stack
constexpr size_t kOurBytes = 2048;    // at most, below the frame of the call
constexpr size_t kCallBytes = 8;      // at least as many as a call instruction has

constinit std::atomic<bool> is_busy{false};
Code code;

// How many bytes could be read. None where the process may not be asked.
size_t read_safely(void* to, const void* from, size_t bytes) {
  if (sys::is_quiet()) return 0;
  const iovec local{to, bytes};
  const iovec remote{const_cast<void*>(from), bytes};
  const long got =
      sys::raw_syscall(SYS_process_vm_readv, sys::raw_syscall(SYS_getpid),
                       sys::pointer_argument(&local), 1, sys::pointer_argument(&remote), 1, 0);
  return got > 0 ? static_cast<size_t>(got) : 0;
}

// Takes more frames from words, and says whether the caller is among them. What lies before it are
// frames of ours, which have it as an argument: so it is the last that counts, of a few.
bool take_words(Stack* stack, const uintptr_t* words, size_t count, const void* caller) {
  bool is_seen = false;
  for (size_t i = 0; i < count; ++i) {
    const auto* const word = reinterpret_cast<const void*>(words[i]);
    if (caller != nullptr && word == caller) {
      stack->count = 1;
      is_seen = true;
    } else if (stack->count < Stack::kMost && code.has(words[i] - kCallBytes)) {
      stack->frames[stack->count++] = word;
    }
  }
  return is_seen;
}

// The rest of the page, on which the thread stands, can be read. The next one may be no stack.
void take_from(Stack* stack, const char* top, const void* caller) {
  const auto at = reinterpret_cast<uintptr_t>(top);
  const size_t on_page = core::align_down(at, sys::kPageSize) + sys::kPageSize - at;
  const auto* const words = reinterpret_cast<const uintptr_t*>(top);
  bool is_seen = take_words(stack, words, on_page / sizeof(uintptr_t), caller);
  for (size_t seen = on_page; seen < kMostBytes; seen += kCopiedWords * sizeof(uintptr_t)) {
    const bool may_be_ours = caller != nullptr && seen < kOurBytes;
    if (!may_be_ours && stack->count >= Stack::kMost) break;
    uintptr_t copied[kCopiedWords];
    const size_t got = read_safely(copied, top + seen, sizeof copied);
    is_seen |= take_words(stack, copied, got / sizeof(uintptr_t), may_be_ours ? caller : nullptr);
    if (got != sizeof copied) break;
  }
  if (!is_seen && caller != nullptr) stack->count = 1;
}

// Some microseconds, as long as another one takes; it may be this thread's, below a handler.
constexpr int kPatience = 200;

bool take_turn() {
  for (int turn = 0; turn < kPatience; ++turn) {
    // Acquire: all the last one did there is done. Partner: the store in knows().
    if (!is_busy.exchange(true, std::memory_order_acquire)) return true;
    core::cpu_relax();
  }
  return false;
}

// False: another thread is just learning where code is.
bool knows(const void* address) {
  if (code.has(reinterpret_cast<uintptr_t>(address))) return true;
  if (!take_turn()) return false;
  code.learn(address);
  is_busy.store(false, std::memory_order_release);  // see take_turn
  return true;
}

void capture(Stack* stack, const void* first, const void* top, bool is_call) {
  stack->frames[0] = first;
  stack->count = first != nullptr ? 1 : 0;
  stack->thread = heap::thread_id();
  stack->ms = ms_now();
  if (!knows(first)) return;
  const auto at = core::align_up(reinterpret_cast<uintptr_t>(top), sizeof(uintptr_t));
  take_from(stack, reinterpret_cast<const char*>(at), is_call ? first : nullptr);
}

// Whether eight bytes end in a call.
bool ends_in_call(const uint8_t* bytes) {
#if defined(__x86_64__)
  constexpr size_t kEnd = 8;
  if (bytes[kEnd - 5] == 0xE8) return true;
  for (const size_t size : {size_t{2}, size_t{3}, size_t{4}, size_t{6}, size_t{7}}) {
    const uint8_t* const at = bytes + kEnd - size;
    if (at[0] != 0xFF || (at[1] & 0x38) != 0x10) continue;
    const unsigned mode = at[1] >> 6;
    const bool has_sib = mode != 3 && (at[1] & 7) == 4;
    const bool is_absolute = mode == 0 && ((at[1] & 7) == 5 || (has_sib && (at[2] & 7) == 5));
    const size_t displacement = is_absolute || mode == 2 ? 4 : mode == 1 ? 1 : 0;
    if (size == 2 + has_sib + displacement) return true;
  }
  return false;
#elif defined(__aarch64__)
  uint32_t instruction;
  memcpy(&instruction, bytes + 4, sizeof instruction);
  return (instruction & 0xFC000000) == 0x94000000 || (instruction & 0xFFFFFC1F) == 0xD63F0000;
#else
  return true;
#endif
}

bool is_behind_call(const void* address) {
  uint8_t bytes[kCallBytes];
  if (read_safely(bytes, static_cast<const char*>(address) - sizeof bytes, sizeof bytes) !=
      sizeof bytes)
    return true;
  return ends_in_call(bytes);
}

}  // namespace

MMT_NOINLINE void capture_call(Stack* stack, const void* caller) {
  capture(stack, caller, __builtin_frame_address(0), true);
}

void capture_instruction(Stack* stack, const void* instruction, const void* top) {
  capture(stack, instruction, top, false);
}

void keep_calls(Stack* stack) {
  uint32_t kept = std::min<uint32_t>(stack->count, 1);
  for (uint32_t i = 1; i < stack->count && kept < Stack::kShown; ++i)
    if (is_behind_call(stack->frames[i])) stack->frames[kept++] = stack->frames[i];
  stack->count = kept;
}

void renew_captures_in_child() { is_busy.store(false, std::memory_order_relaxed); }

}  // namespace mmt::harden
