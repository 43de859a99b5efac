// RawThread by libc's threads, for builds with a sanitizer, which must know every thread.
#include <pthread.h>

#include <atomic>
#include <climits>

#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

namespace mmt::sys {
namespace {

// A sanitizer ends its part of a thread in the last round of libc's destructors. A thread of ours
// counts as there until then: a thread that forks as soon as it is gone would find that part's
// locks held. What the thread sanitizer keeps is needed until the last round, and forks wait for
// it.
#ifdef __SANITIZE_ADDRESS__
constexpr int kLastRound = PTHREAD_DESTRUCTOR_ITERATIONS;
#else
constexpr int kLastRound = 1;
#endif

struct End {
  std::atomic<uint32_t>* id;
  int rounds = 0;
};

void end_round(void* end);

pthread_key_t end_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    pthread_key_create(&made, end_round);
    return made;
  }();
  return key;
}

void end_round(void* end) {
  auto* const self = static_cast<End*>(end);
  if (++self->rounds < kLastRound) {
    pthread_setspecific(end_key(), self);
    return;
  }
  std::atomic<uint32_t>* const id = self->id;
  constexpr int kWake = 1;  // FUTEX_WAKE
  // Release: pairs with the acquire in RawThread::id.
  id->store(0, std::memory_order_release);
  raw_syscall(SYS_futex, pointer_argument(id), kWake, INT_MAX);
}

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
  static thread_local End end;
  end = {given->id};
  pthread_setspecific(end_key(), &end);
  given->id->store(current_thread_id(), std::memory_order_relaxed);
  // Release: pairs with the wait in RawThread::start, after which `given` is gone.
  given->started.store(true, std::memory_order_release);
  entry(argument);
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
