#include <linux/close_range.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <iterator>

#include <mmt/core/compiler.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/forced_signals.h>
#include <mmt/sys/scheduling.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

namespace mmt::sys {
namespace {

constexpr int kSetMask = 2;  // SIG_SETMASK

// What was blocked before.
uint64_t add_to_mask(uint64_t signals) {
  constexpr int kBlock = 0;  // SIG_BLOCK
  uint64_t previous = 0;
  raw_syscall(SYS_rt_sigprocmask, kBlock, pointer_argument(&signals), pointer_argument(&previous),
              kKernelSigsetBytes);
  return previous;
}
// Commands of membarrier.
constexpr long kRegisterPrivateExpedited = 1 << 4;
constexpr long kPrivateExpeditedRseq = 1 << 7;
constexpr long kRegisterPrivateExpeditedRseq = 1 << 8;

// Relaxed: only the thread that sets it must see it at once.
constinit std::atomic<bool> quiet{false};

// See watch_main_thread(). Written while there is no other thread of ours.
constinit std::atomic<const uint32_t*> main_thread_id{nullptr};
constinit std::atomic<uint32_t> main_thread_process{0};

}  // namespace

uint64_t block_signals() { return add_to_mask(~kForcedSignals); }

uint64_t block_all_signals() { return add_to_mask(~uint64_t{0}); }

bool on_signal_stack() {
  stack_t stack{};
  return raw_syscall(SYS_sigaltstack, 0, pointer_argument(&stack)) == 0 &&
         (stack.ss_flags & SS_ONSTACK) != 0;
}

void restore_signals(uint64_t previous) {
  raw_syscall(SYS_rt_sigprocmask, kSetMask, pointer_argument(&previous), 0, kKernelSigsetBytes);
}

bool RawThread::wait_end(uint32_t id, uint64_t timeout_ns) const {
  constexpr int kWait = 0;  // FUTEX_WAIT, not private: the kernel's wake-up is not
  const uint64_t end = coarse_ns() + timeout_ns;
  while (id != 0 && this->id() == id) {
    const uint64_t now = coarse_ns();
    if (now >= end) return false;
    const timespec left{static_cast<time_t>((end - now) / 1000000000u),
                        static_cast<long>((end - now) % 1000000000u)};
    raw_syscall(SYS_futex, pointer_argument(&id_), kWait, static_cast<long>(id),
                pointer_argument(&left));
  }
  return true;
}

uint32_t current_thread_id() { return static_cast<uint32_t>(raw_syscall(SYS_gettid)); }
uint32_t current_process_id() { return static_cast<uint32_t>(raw_syscall(SYS_getpid)); }

bool bind_to_cpu(unsigned cpu) {
  CpuSet cpus;
  return cpu < CpuSet::kCpus && (cpus.flip(cpu), cpus.apply(0));
}

bool leave_cpu(unsigned cpu) {
  if (raw_syscall(SYS_prctl, PR_GET_SECCOMP) > 0) return false;
  unsigned here = 0;
  if (raw_syscall(SYS_getcpu, pointer_argument(&here), 0, 0) != 0 || here != cpu) return false;
  CpuSet cpus;
  if (cpu >= CpuSet::kCpus || !cpus.read(0) || !cpus.has(cpu)) return false;
  cpus.flip(cpu);
  if (!cpus.apply(0)) return false;  // there is no other
  cpus.flip(cpu);
  cpus.apply(0);
  return true;
}

bool leave_open_files(KeptFiles kept) {
  const long first = kept == KeptFiles::kNone ? 0 : STDERR_FILENO + 1;
  if (raw_syscall(SYS_close_range, first, static_cast<long>(~0u), CLOSE_RANGE_UNSHARE) != 0)
    return false;
  if (first != 0) raw_syscall(SYS_close_range, 0, STDERR_FILENO - 1, 0);
  return true;
}

void leave_real_time() {
  const long policy = raw_syscall(SYS_sched_getscheduler, 0) & ~long{SCHED_RESET_ON_FORK};
  if (policy != SCHED_FIFO && policy != SCHED_RR) return;
  const sched_param none{};
  raw_syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, pointer_argument(&none));
}

void set_thread_name(const char* name) {
  raw_syscall(SYS_prctl, PR_SET_NAME, pointer_argument(name));
}

void sleep_ns(uint64_t ns) {
  timespec t{static_cast<time_t>(ns / 1000000000u), static_cast<long>(ns % 1000000000u)};
  raw_syscall(SYS_nanosleep, pointer_argument(&t));
}

void yield() {
  if (quiet.load(std::memory_order_relaxed))
    core::cpu_relax();
  else
    raw_syscall(SYS_sched_yield);
}

void give_way(uint32_t turn) {
  constexpr uint32_t kYields = 16;
  constexpr int kWait = FUTEX_WAIT_PRIVATE;
  if (turn < kYields) return yield();
  // On a word that nobody knows: a sleep by a call that every filter has to let pass.
  const uint32_t word = 0;
  const timespec nap{0, 50'000};
  raw_syscall(SYS_futex, pointer_argument(&word), kWait, 0, pointer_argument(&nap));
}

// libc has the kernel clear a thread's id, in the descriptor that the thread pointer points to, as
// the thread ends. The main thread's is the process's.
void watch_main_thread(uint32_t process) {
  constexpr size_t kFirst = 0x200;
  constexpr size_t kEnd = 0x400;
  const auto* const descriptor = static_cast<const char*>(__builtin_thread_pointer());
  const uint32_t* id = nullptr;
  for (size_t at = kFirst; at < kEnd && id == nullptr; at += sizeof(uint32_t)) {
    const auto* const word = reinterpret_cast<const uint32_t*>(descriptor + at);
    if (__atomic_load_n(word, __ATOMIC_RELAXED) == process) id = word;
  }
  // Relaxed, here and below: whose thread it is started later.
  main_thread_process.store(process, std::memory_order_relaxed);
  main_thread_id.store(id, std::memory_order_relaxed);
}

bool is_main_thread_watched() { return main_thread_id.load(std::memory_order_relaxed) != nullptr; }

// The kernel leaves 0, and a thread that joins this one another value.
bool main_thread_has_ended() {
  const uint32_t* const id = main_thread_id.load(std::memory_order_relaxed);
  return id != nullptr && __atomic_load_n(id, __ATOMIC_RELAXED) !=
                              main_thread_process.load(std::memory_order_relaxed);
}

bool wake_who_joins_main() {
  constexpr long kAll = INT_MAX;
  return raw_syscall(SYS_futex, pointer_argument(main_thread_id.load(std::memory_order_relaxed)),
                     FUTEX_WAKE, kAll) > 0;
}

// The kernel wakes one of those who wait for the end, and the program may have some: the one that
// is woken wakes the others.
bool wait_for_end_of_main(const std::atomic<uint32_t>& word, uint32_t expected, int64_t wait_ns) {
  constexpr uint32_t kPrivate = FUTEX_32 | FUTEX_PRIVATE_FLAG;
  const futex_waitv words[] = {
      {expected, reinterpret_cast<uintptr_t>(&word), kPrivate, 0},
      {main_thread_process.load(std::memory_order_relaxed),
       reinterpret_cast<uintptr_t>(main_thread_id.load(std::memory_order_relaxed)), FUTEX_32, 0}};
  const uint64_t until = monotonic_ns() + static_cast<uint64_t>(wait_ns);
  const timespec end{static_cast<time_t>(until / 1000000000u),
                     static_cast<long>(until % 1000000000u)};
  const long result = raw_syscall(SYS_futex_waitv, pointer_argument(words), std::size(words), 0,
                                  pointer_argument(&end), CLOCK_MONOTONIC);
  if (main_thread_has_ended()) wake_who_joins_main();
  return result >= 0 || result == -EAGAIN || result == -EINTR || result == -ETIMEDOUT;
}

bool is_quiet() { return quiet.load(std::memory_order_relaxed); }

void stop_yielding() { quiet.store(true, std::memory_order_relaxed); }

bool prepare_barrier() { return raw_syscall(SYS_membarrier, kRegisterPrivateExpedited) == 0; }

bool prepare_restarts() { return raw_syscall(SYS_membarrier, kRegisterPrivateExpeditedRseq) == 0; }

bool restart_sequences() { return raw_syscall(SYS_membarrier, kPrivateExpeditedRseq, 0, 0) == 0; }

}  // namespace mmt::sys
