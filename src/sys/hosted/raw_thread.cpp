// RawThread by libc's threads, for builds with a sanitizer, which must know every thread.
#include <pthread.h>

#include <atomic>
#include <climits>

#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

namespace mmt::sys {
namespace {

struct Start {
  void (*entry)(void*);
  void* argument;
  std::atomic<uint32_t>* id;
  std::atomic<bool> started{false};
};

void* run(void* start) {
  auto* const given = static_cast<Start*>(start);
  void (*const entry)(void*) = given->entry;
  void* const argument = given->argument;
  std::atomic<uint32_t>* const id = given->id;
  id->store(current_thread_id(), std::memory_order_relaxed);
  // Release: pairs with the wait in RawThread::start, after which `given` is gone.
  given->started.store(true, std::memory_order_release);
  entry(argument);
  constexpr int kWake = 1;  // FUTEX_WAKE
  // Release: pairs with the acquire in RawThread::id.
  id->store(0, std::memory_order_release);
  raw_syscall(SYS_futex, pointer_argument(id), kWake, INT_MAX);
  return nullptr;
}

}  // namespace

long RawThread::start(void (*entry)(void*), void* argument) {
  Start start{entry, argument, &id_, {}};
  pthread_t thread;
  const uint64_t before = block_all_signals();  // inherited by the thread for good
  const int error = pthread_create(&thread, nullptr, run, &start);
  restore_signals(before);
  if (error != 0) return -error;
  pthread_detach(thread);
  while (!start.started.load(std::memory_order_acquire)) yield();
  return 0;
}

}  // namespace mmt::sys
