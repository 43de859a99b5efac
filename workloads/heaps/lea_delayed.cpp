// libmmt-lea-delayed.so: Doug Lea's allocator, each of whose calls takes MMT_DELAY_NS nanoseconds
// longer: what a protocol would be worth over a slower allocator. With MMT_IDLE_THREAD=1 the
// process has a second thread, which sleeps: what only that costs, as locks are taken. For `mmt
// study`.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mmt/core/visible.h>
#include <mmt/layers/general/lea_heap.h>
#include <mmt/layers/observe/observed_heap.h>

#include "heaps/delay.h"
#include "heaps/layered_process.h"

namespace mmt::heaps {

template <class Super>
class DelayedHeap : public layers::ObservedHeap<Delay, Super> {
 public:
  using layers::ObservedHeap<Delay, Super>::ObservedHeap;
  void set_delay(uint64_t nanoseconds) { this->observer().set(nanoseconds); }
};

using Delayed = layers::Stage<DelayedHeap>;

}  // namespace mmt::heaps

namespace mmt::names {
using ProcessHeap =
    heaps::LayeredProcess<layers::Pipe<layers::SystemHeap, layers::Lea<>, heaps::Delayed>>;
}  // namespace mmt::names

namespace {

constexpr unsigned long long kLongest = 1'000'000;

__attribute__((constructor(102))) void set_delay() {
  const char* text = getenv("MMT_DELAY_NS");
  if (text == nullptr) return;
  char* end = nullptr;
  const unsigned long long nanoseconds = strtoull(text, &end, 10);
  if (end == text || *end != '\0' || nanoseconds > kLongest) {
    fprintf(stderr, "mmt: MMT_DELAY_NS: '%s' is no number from 0 to %llu\n",
            mmt::core::VisibleText<>(text).c_str(), kLongest);
    exit(2);
  }
  mmt::names::ProcessHeap::heap().set_delay(nanoseconds);
}

void* sleep_on(void*) {
  for (;;) ::pause();
}

__attribute__((constructor(103))) void start_idle_thread() {
  const char* text = getenv("MMT_IDLE_THREAD");
  if (text == nullptr || strcmp(text, "1") != 0) return;
  pthread_t thread;
  if (const int error = ::pthread_create(&thread, nullptr, sleep_on, nullptr)) {
    fprintf(stderr, "mmt: MMT_IDLE_THREAD: no thread can be started: %s\n", strerror(error));
    exit(2);
  }
}

}  // namespace

#include "heaps/library.h"
