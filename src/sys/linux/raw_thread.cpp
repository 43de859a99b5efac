// RawThread by a bare clone(2). The kernel clears its id as the thread ends, and wakes the waiting
// thread.
#include <linux/sched.h>
#include <sched.h>

#include <cerrno>

#include <mmt/sys/clock.h>
#include <mmt/sys/last_thread.h>
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
  int cpu;  // of the starting thread
};

extern "C" __attribute__((used)) void mmt_raw_thread_main(Start* start) {
  if (is_counter_forbidden()) keep_to_coarse_clock();  // inherited from the starting thread
  if (start->cpu >= 0) leave_cpu(static_cast<unsigned>(start->cpu));
  start->entry(start->argument);
  // The file that must be read is opened out of the program's sight.
  const bool may_be_last = main_thread_has_ended() && !is_quiet() && leave_open_files();
  const int status = may_be_last ? status_of_last_thread().value_or(0) : 0;
  for (;;) raw_syscall(SYS_exit, status);
}

#if defined(__x86_64__)
// The child runs on another stack: nothing of the parent's frame may be used after the call.
__attribute__((naked, noinline)) long clone_onto(unsigned long, void*, void*, Start*, void*) {
  __asm__ volatile(
      // rdi flags, rsi stack top, rdx thread pointer, rcx start, r8 where the id is kept
      "mov %rcx, %r9\n"
      "mov %r8, %r10\n"
      "mov %rdx, %r8\n"
      "mov %r10, %rdx\n"
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
__attribute__((naked, noinline)) long clone_onto(unsigned long, void*, void*, Start*, void*) {
  __asm__ volatile(
      "mov x9, x3\n"
      "mov x3, x2\n"
      "mov x2, x4\n"
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

long RawThread::start(void (*entry)(void*), void* argument) {
  const size_t bytes = kStackBytes + kThreadLocalBytes;
  if (memory_ == nullptr) memory_ = static_cast<char*>(map_anywhere(bytes));
  if (memory_ == nullptr) return -ENOMEM;
  char* thread_pointer = memory_ + kStackBytes + kThreadLocalBytes / 2;
  fill_thread_block(thread_pointer);
  auto* start = reinterpret_cast<Start*>(memory_ + kStackBytes - sizeof(Start));
  *start = {entry, argument, ::sched_getcpu()};
  const unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                              CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID |
                              CLONE_CHILD_CLEARTID;
  const uint64_t before = block_all_signals();  // inherited by the thread for good
  const long result = clone_onto(flags, start, thread_pointer, start, &id_);
  restore_signals(before);
  if (result > 0) return 0;
  unmap(memory_, bytes);
  memory_ = nullptr;
  return result;
}

}  // namespace mmt::sys
