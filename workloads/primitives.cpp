// primitives: what it costs to lock, to signal, and to hand a cache line to another core. The locks
// and semaphores are those of the protocols: pthread's, and minimal ones that spin. Metrics (ns a
// pair):
// - lock minimal_lock                 locked and unlocked by the only thread that wants it
// - semaphore minimal_semaphore       posted and waited for by one thread
// - ..._contended                     two threads at once: both lock; one posts, the other waits
// - line                              a line from the core that wrote it to one that waits for it
// - request                           a minimal semaphore posted, the answer's waited for
// - pthread_request                   the same by pthread's, which put a waiting thread to sleep
//
// A second thread exists all the time: without one pthread's lock is no atomic operation. With
// fewer than two usable CPUs only the first four are measured.
#include "protocols/primitives.h"

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include <mmt/core/compiler.h>

#include "common/clock.h"
#include "common/flags.h"
#include "common/report.h"

namespace {

using namespace mmt::workloads;
using mmt::protocols::MinimalPrimitives;
using mmt::protocols::PthreadPrimitives;

constexpr const char* kProgram = "primitives";

// The first two CPUs that may be used; one for each of two threads.
struct TwoCpus {
  int cpu[2];
  int count = 0;

  TwoCpus() {
    cpu_set_t usable;
    require(sched_getaffinity(0, sizeof usable, &usable) == 0, kProgram, "usable CPUs");
    for (int one = 0; one < CPU_SETSIZE && count < 2; ++one) {
      if (CPU_ISSET(one, &usable)) cpu[count++] = one;
    }
  }
};

void stay_on(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  require(sched_setaffinity(0, sizeof one, &one) == 0, kProgram, "binding to a CPU");
}

// A thread that begins on its CPU once the caller is ready too, and ends with the object.
template <class Body>
class Partner {
 public:
  Partner(int cpu, Body body) : cpu_(cpu), body_(body) {
    require(pthread_create(&thread_, nullptr, run, this) == 0, kProgram, "a second thread");
    // Acquire, with the release below: the thread is on its CPU.
    while (!is_ready_.load(std::memory_order_acquire)) mmt::core::cpu_relax();
    // Relaxed: only the time of it matters.
    may_begin_.store(true, std::memory_order_relaxed);
  }
  ~Partner() { pthread_join(thread_, nullptr); }
  Partner(const Partner&) = delete;
  Partner& operator=(const Partner&) = delete;

 private:
  static void* run(void* self) {
    auto* partner = static_cast<Partner*>(self);
    stay_on(partner->cpu_);
    partner->is_ready_.store(true, std::memory_order_release);
    while (!partner->may_begin_.load(std::memory_order_relaxed)) mmt::core::cpu_relax();
    partner->body_();
    return nullptr;
  }

  int cpu_;
  Body body_;
  pthread_t thread_;
  std::atomic<bool> is_ready_{false};
  std::atomic<bool> may_begin_{false};
};

template <class T>
struct alignas(mmt::core::kNoSharing) Apart : T {};

double ns_each(double seconds, uint64_t pairs) {
  return 1e9 * seconds / static_cast<double>(pairs);
}

template <class Primitives>
double lock_alone(uint64_t pairs) {
  Apart<typename Primitives::Lock> lock;
  Stopwatch watch;
  for (uint64_t i = 0; i < pairs; ++i) {
    lock.lock();
    lock.unlock();
  }
  return ns_each(watch.lap(), pairs);
}

template <class Primitives>
double semaphore_alone(uint64_t pairs) {
  Apart<typename Primitives::Semaphore> semaphore;
  Stopwatch watch;
  for (uint64_t i = 0; i < pairs; ++i) {
    semaphore.post();
    semaphore.wait();
  }
  return ns_each(watch.lap(), pairs);
}

template <class Primitives>
double lock_contended(const TwoCpus& cpus, uint64_t pairs) {
  Apart<typename Primitives::Lock> lock;
  uint64_t entries = 0;  // guarded by the lock
  const auto body = [&] {
    for (uint64_t i = 0; i < pairs; ++i) {
      lock.lock();
      ++entries;
      lock.unlock();
    }
  };
  double passed = 0;
  {
    Partner partner(cpus.cpu[1], body);
    Stopwatch watch;
    body();
    passed = watch.lap();
  }
  require(entries == 2 * pairs, kProgram, "two threads were inside a lock");
  return ns_each(passed, pairs);
}

template <class Primitives>
double semaphore_contended(const TwoCpus& cpus, uint64_t pairs) {
  Apart<typename Primitives::Semaphore> semaphore;
  const auto post = [&] {
    for (uint64_t i = 0; i < pairs; ++i) semaphore.post();
  };
  double passed = 0;
  {
    Partner partner(cpus.cpu[1], post);
    Stopwatch watch;
    for (uint64_t i = 0; i < pairs; ++i) semaphore.wait();
    passed = watch.lap();
  }
  require(!semaphore.try_wait(), kProgram, "a semaphore was posted too often");
  return ns_each(passed, pairs);
}

// One way: half of there and back.
double line(const TwoCpus& cpus, uint64_t pairs) {
  struct Word {
    std::atomic<uint64_t> value{0};
  };
  Apart<Word> there;
  Apart<Word> back;
  // Release and acquire, as for a message.
  const auto hand = [](Apart<Word>* word, uint64_t i) {
    word->value.store(i, std::memory_order_release);
  };
  const auto await = [](const Apart<Word>* word, uint64_t i) {
    while (word->value.load(std::memory_order_acquire) != i) mmt::core::cpu_relax();
  };
  Partner partner(cpus.cpu[1], [&] {
    for (uint64_t i = 1; i <= pairs; ++i) {
      await(&there, i);
      hand(&back, i);
    }
  });
  Stopwatch watch;
  for (uint64_t i = 1; i <= pairs; ++i) {
    hand(&there, i);
    await(&back, i);
  }
  return ns_each(watch.lap(), 2 * pairs);
}

template <class Primitives>
double request(const TwoCpus& cpus, uint64_t pairs) {
  Apart<typename Primitives::Semaphore> wanted;
  Apart<typename Primitives::Semaphore> done;
  Partner partner(cpus.cpu[1], [&] {
    for (uint64_t i = 0; i < pairs; ++i) {
      wanted.wait();
      done.post();
    }
  });
  Stopwatch watch;
  for (uint64_t i = 0; i < pairs; ++i) {
    wanted.post();
    done.wait();
  }
  return ns_each(watch.lap(), pairs);
}

void* sleep_until_woken(void* semaphore) {
  static_cast<PthreadPrimitives::Semaphore*>(semaphore)->wait();
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  const uint64_t pairs = flags.number("pairs", 1'000'000);
  flags.finish();
  require(pairs > 0, kProgram, "at least one pair");

  const TwoCpus cpus;
  stay_on(cpus.cpu[0]);
  PthreadPrimitives::Semaphore wake;
  pthread_t sleeper;
  require(pthread_create(&sleeper, nullptr, sleep_until_woken, &wake) == 0, kProgram,
          "a second thread");

  Report report(kProgram);
  report.add("lock", lock_alone<PthreadPrimitives>(pairs), "ns");
  report.add("minimal_lock", lock_alone<MinimalPrimitives>(pairs), "ns");
  report.add("semaphore", semaphore_alone<PthreadPrimitives>(pairs), "ns");
  report.add("minimal_semaphore", semaphore_alone<MinimalPrimitives>(pairs), "ns");
  if (cpus.count == 2) {
    report.add("lock_contended", lock_contended<PthreadPrimitives>(cpus, pairs), "ns");
    report.add("minimal_lock_contended", lock_contended<MinimalPrimitives>(cpus, pairs), "ns");
    report.add("semaphore_contended", semaphore_contended<PthreadPrimitives>(cpus, pairs), "ns");
    report.add("minimal_semaphore_contended", semaphore_contended<MinimalPrimitives>(cpus, pairs),
               "ns");
    report.add("line", line(cpus, pairs), "ns");
    report.add("request", request<MinimalPrimitives>(cpus, pairs), "ns");
    // Each takes two wake-ups: tens of microseconds.
    report.add("pthread_request", request<PthreadPrimitives>(cpus, pairs / 256 + 1), "ns");
  }
  wake.post();
  pthread_join(sleeper, nullptr);
  return report.finish();
}
