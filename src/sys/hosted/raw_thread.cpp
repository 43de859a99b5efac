// start_raw_thread by libc's threads, for builds with a sanitizer, which must know every thread.
#include <pthread.h>

#include <atomic>
#include <cerrno>

#include <mmt/sys/thread.h>

namespace mmt::sys {
namespace {

struct Start {
  void (*entry)(void*);
  void* argument;
  std::atomic<uint32_t> thread_id{0};
};

void* run(void* start) {
  auto* const given = static_cast<Start*>(start);
  void (*const entry)(void*) = given->entry;
  void* const argument = given->argument;
  // Release: pairs with the wait in start_raw_thread, after which `given` is gone.
  given->thread_id.store(current_thread_id(), std::memory_order_release);
  entry(argument);
  return nullptr;
}

}  // namespace

long start_raw_thread(void (*entry)(void*), void* argument) {
  Start start{entry, argument, {}};
  const uint64_t signals = block_signals();  // inherited by the thread for good
  pthread_t thread;
  const int error = pthread_create(&thread, nullptr, run, &start);
  restore_signals(signals);
  if (error != 0) return -error;
  pthread_detach(thread);
  uint32_t id;
  while ((id = start.thread_id.load(std::memory_order_acquire)) == 0) yield();
  return id;
}

}  // namespace mmt::sys
