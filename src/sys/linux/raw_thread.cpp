// The memory thread by a bare clone(2): see start_raw_thread.
#include <linux/sched.h>

#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

namespace mmt::sys {
namespace {

constexpr size_t kStackBytes = 64 * 1024;
// Room below the thread pointer, where code compiled for a libc thread expects its thread-local
// block, and above it, where libc's descriptor would be.
constexpr size_t kThreadLocalBytes = 4 * kPageSize;

struct Start {
  void (*entry)(void*);
  void* argument;
};

extern "C" __attribute__((used)) void mmt_raw_thread_main(Start* start) {
  start->entry(start->argument);
  for (;;) raw_syscall(SYS_exit, 0);
}

#if defined(__x86_64__)
// The child runs on another stack: nothing of the parent's frame may be used after the call.
__attribute__((naked, noinline)) long clone_onto(unsigned long, void*, void*, Start*) {
  __asm__ volatile(
      // rdi flags, rsi stack top, rdx thread pointer, rcx start
      "mov %rcx, %r9\n"
      "mov %rdx, %r8\n"
      "xor %edx, %edx\n"
      "xor %r10d, %r10d\n"
      "mov $56, %eax\n"  // SYS_clone
      "syscall\n"
      "test %rax, %rax\n"
      "jz 1f\n"
      "ret\n"
      "1: xor %ebp, %ebp\n"
      "mov %r9, %rdi\n"
      "and $-16, %rsp\n"
      "call mmt_raw_thread_main\n"
      "ud2\n");
}

// What code compiled for libc reads through the thread pointer: its own address, and the values
// that guard stacks and saved pointers.
void fill_thread_block(void* thread_pointer) {
  auto* words = static_cast<uintptr_t*>(thread_pointer);
  words[0] = reinterpret_cast<uintptr_t>(thread_pointer);
  words[2] = reinterpret_cast<uintptr_t>(thread_pointer);
  uintptr_t stack_guard;
  uintptr_t pointer_guard;
  __asm__("mov %%fs:0x28, %0" : "=r"(stack_guard));
  __asm__("mov %%fs:0x30, %0" : "=r"(pointer_guard));
  words[5] = stack_guard;
  words[6] = pointer_guard;
}
#elif defined(__aarch64__)
__attribute__((naked, noinline)) long clone_onto(unsigned long, void*, void*, Start*) {
  __asm__ volatile(
      "mov x9, x3\n"
      "mov x3, x2\n"
      "mov x2, xzr\n"
      "mov x4, xzr\n"
      "mov x8, #220\n"
      "svc #0\n"
      "cbz x0, 1f\n"
      "ret\n"
      "1: mov x29, xzr\n"
      "mov x0, x9\n"
      "bl mmt_raw_thread_main\n"
      "brk #0\n");
}
void fill_thread_block(void*) {}
#endif

}  // namespace

long start_raw_thread(void (*entry)(void*), void* argument) {
  const size_t bytes = kStackBytes + kThreadLocalBytes;
  auto* memory = static_cast<char*>(map_anywhere(bytes));
  if (memory == nullptr) return -12;  // ENOMEM
  char* thread_pointer = memory + kStackBytes + kThreadLocalBytes / 2;
  fill_thread_block(thread_pointer);
  auto* start = reinterpret_cast<Start*>(memory + kStackBytes - sizeof(Start));
  *start = {entry, argument};
  const uint64_t signals = block_signals();  // inherited by the thread for good
  const unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                              CLONE_SYSVSEM | CLONE_SETTLS;
  const long tid = clone_onto(flags, start, thread_pointer, start);
  restore_signals(signals);
  if (tid < 0) unmap(memory, bytes);
  return tid;
}

}  // namespace mmt::sys
