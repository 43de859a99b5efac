#pragma once
// Threads below libc: libc does not know of such a helper thread. So a single-threaded program
// stays single-threaded in libc's eyes (unlocked stdio, plain reference counts), and ends when its
// own last thread ends. The helper has a thread-local block of its own with nothing in it. So the
// code it runs may use neither errno, nor thread_local objects, nor lazily bound libc calls.
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mmt::sys {

// Blocks signals for the calling thread and returns what was blocked before, for restore_signals. A
// signal that arrives meanwhile is delivered afterwards. One system call each. Signals that the
// kernel forces (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS) stay as they are. The kernel
// kills the program when it forces a blocked one, although the program's handler would grow a
// stack, make a trapped call, or report. So handlers of these signals may run here: see DepotGuard
// for what they meet.
uint64_t block_signals();
// The forced ones too: for a thread that no handler of the program's may run on.
uint64_t block_all_signals();
void restore_signals(uint64_t previous);
// The same for as long as one of these lives.
class SignalsBlocked {
 public:
  SignalsBlocked() : previous_(block_signals()) {}
  ~SignalsBlocked() { restore_signals(previous_); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  uint64_t previous_;
};
// The calling thread is in a signal handler on its alternate stack.
bool on_signal_stack();

// A place for one such thread, which may be started again when it has ended. All zero is valid.
// States and legal calls:
//   none     id() == 0: start(), by one caller at a time.
//   running  until `entry` returns: wait_end(), by any thread.
class RawThread {
 public:
  // Runs `entry(argument)` on a thread of its own with all signals blocked and the credentials of
  // the caller, off the caller's CPU. The kernel may start a thread on that CPU, and wake it there
  // again after each nap. 0, or -errno when the system forbids it (RLIMIT_NPROC, seccomp, memory).
  long start(void (*entry)(void*), void* argument);

  // The thread's id. 0: there is none, or it has run its last instruction.
  // Acquire: all it did is done.
  uint32_t id() const { return id_.load(std::memory_order_acquire); }

  // Waits until the thread with this id has ended; 0 names none. False: it is there still after so
  // long.
  bool wait_end(uint32_t id, uint64_t timeout_ns) const;

  // A fork's child: the thread is not there.
  void reset_in_child() { id_.store(0, std::memory_order_relaxed); }

 private:
  std::atomic<uint32_t> id_{0};  // the kernel clears it, as it ends the thread
  char* memory_ = nullptr;       // stack and thread-local block; kept for the next
};

uint32_t current_thread_id();
uint32_t current_process_id();

// Binds the calling thread to one CPU. False: there is none of that number, or it may not be used.
bool bind_to_cpu(unsigned cpu);
// Moves the calling thread off that CPU, if it is there and may run elsewhere; afterwards it may
// run wherever it might before. False: it was not there, or has to stay, or stands under a seccomp
// filter, which might kill it for the calls.
bool leave_cpu(unsigned cpu);
// Gives the calling thread a table of file descriptors of its own, with none in it, or standard
// error alone. The thread keeps nothing else of the program's open, and what it opens is in
// nobody's way. False: the system does not offer it.
enum class KeptFiles : uint8_t { kNone, kStandardError };
bool leave_open_files(KeptFiles kept = KeptFiles::kNone);
// Ordinary scheduling for the calling thread, if it is a real-time one.
void leave_real_time();
// Notes where the kernel tells that the process's main thread has ended. By that thread, also a
// fork's child's; makes no system call. Elsewhere, or with a libc that is unknown, nothing is
// noted.
void watch_main_thread(uint32_t process);
// False also where nothing is noted. Any thread may call it.
bool is_main_thread_watched();
bool main_thread_has_ended();
// Wakes the threads that wait for its end, which find it there still, or not. False: there are
// none.
bool wake_who_joins_main();
// Sleeps as WatchfulSleep does while the main thread is there, for `wait_ns` at most. False, at
// once: the kernel cannot wait for two words.
bool wait_for_end_of_main(const std::atomic<uint32_t>& word, uint32_t expected, int64_t wait_ns);
// Names the calling thread (at most 15 bytes) in /proc.
void set_thread_name(const char* name);
void sleep_ns(uint64_t ns);
// Lets another thread run, as a rule.
void yield();
// Makes one turn of waiting for another thread of this process, the first being 0. It yields, and
// later sleeps, since a real-time thread that yields lets none run that is not.
void give_way(uint32_t turn);
// From now on yield() makes no system call: the process may be killed for those that its seccomp
// filter does not know. It holds in its forks' children, too. Any thread may call it.
void stop_yielding();
bool is_quiet();
// Registers the process, and children it forks, for sync::RealSync::fence_all_threads. To be called
// while the process has one thread. With more, the kernel waits for all CPUs to pass through a
// quiescent state. This takes tens of milliseconds, or seconds under load. Neither a signal nor the
// end of the process can interrupt it. False where the kernel does not offer it.
bool prepare_barrier();
// The same for restart_sequences.
bool prepare_restarts();
// Restartable sequences that other threads of the process are in amid start again. Each of these
// threads passes a full fence, as does the caller. It is called after prepare_restarts() alone.
// False: the kernel refuses, by a filter or for want of memory, and nothing is certain.
bool restart_sequences();

}  // namespace mmt::sys
