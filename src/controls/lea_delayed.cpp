// libmmt-lea-delayed.so: Doug Lea's allocator, each of whose calls takes MMT_DELAY_NS nanoseconds
// longer: what a protocol would be worth over a slower allocator. For `mmt study`.
#include <stdio.h>
#include <stdlib.h>

#include <mmt/layers/general/lea_heap.h>
#include <mmt/layers/observe/observed_heap.h>

#include "controls/delay.h"
#include "heaps/layered_process.h"

namespace mmt::controls {

template <class Super>
class DelayedHeap : public layers::ObservedHeap<Delay, Super> {
 public:
  using layers::ObservedHeap<Delay, Super>::ObservedHeap;
  void set_delay(uint64_t nanoseconds) { this->observer().set(nanoseconds); }
};

using Delayed = layers::Stage<DelayedHeap>;

}  // namespace mmt::controls

namespace mmt::abi {
using ProcessHeap =
    heaps::LayeredProcess<layers::Pipe<layers::SystemHeap, layers::Lea<>, controls::Delayed>>;
}  // namespace mmt::abi

namespace {

constexpr unsigned long long kLongest = 1'000'000;

__attribute__((constructor(102))) void set_delay() {
  const char* text = getenv("MMT_DELAY_NS");
  if (text == nullptr) return;
  char* end = nullptr;
  const unsigned long long nanoseconds = strtoull(text, &end, 10);
  if (end == text || *end != '\0' || nanoseconds > kLongest) {
    fprintf(stderr, "mmt: MMT_DELAY_NS: '%s' is no number from 0 to %llu\n", text, kLongest);
    exit(2);
  }
  mmt::abi::ProcessHeap::heap().set_delay(nanoseconds);
}

}  // namespace

#include "heaps/library.inc"
