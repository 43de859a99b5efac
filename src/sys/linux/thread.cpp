#include <linux/sched.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include <atomic>

namespace mmt::sys {
namespace {

constexpr size_t kStackBytes = 64 * 1024;
// Room below the thread pointer, where code compiled for a libc thread expects its thread-local
// block, and above it, where libc's descriptor would be.
constexpr size_t kThreadLocalBytes = 4 * kPageSize;
constexpr int kSetMask = 2;  // SIG_SETMASK
constexpr long kKernelSigsetBytes = 8;

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

uint64_t block_signals() {
  const uint64_t all = ~uint64_t{0};
  uint64_t previous = 0;
  raw_syscall(SYS_rt_sigprocmask, kSetMask, pointer_argument(&all), pointer_argument(&previous),
              kKernelSigsetBytes);
  return previous;
}

void restore_signals(uint64_t previous) {
  raw_syscall(SYS_rt_sigprocmask, kSetMask, pointer_argument(&previous), 0, kKernelSigsetBytes);
}

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

uint32_t current_thread_id() { return static_cast<uint32_t>(raw_syscall(SYS_gettid)); }
uint32_t current_process_id() { return static_cast<uint32_t>(raw_syscall(SYS_getpid)); }

void set_niceness(int value) { raw_syscall(SYS_setpriority, PRIO_PROCESS, 0, value); }

void bind_to_cpu(unsigned cpu) {
  unsigned long mask[16] = {};
  if (cpu >= sizeof(mask) * 8) return;
  mask[cpu / 64] = 1ul << (cpu % 64);
  raw_syscall(SYS_sched_setaffinity, 0, sizeof(mask), pointer_argument(mask));
}

void set_thread_name(const char* name) {
  raw_syscall(SYS_prctl, PR_SET_NAME, pointer_argument(name));
}

void sleep_ns(uint64_t ns) {
  timespec t{static_cast<time_t>(ns / 1000000000u), static_cast<long>(ns % 1000000000u)};
  raw_syscall(SYS_nanosleep, pointer_argument(&t));
}

void yield() { raw_syscall(SYS_sched_yield); }

uint64_t involuntary_switches() {
  rusage usage{};
  raw_syscall(SYS_getrusage, RUSAGE_THREAD, pointer_argument(&usage));
  return static_cast<uint64_t>(usage.ru_nivcsw);
}

}  // namespace mmt::sys
