#include "harden/quarantine.h"

#include <atomic>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/random.h>
#include <mmt/sys/thread.h>

#include "harden/object.h"
#include "harden/settings.h"
#include "harden/states.h"
#include "harden/times.h"
#include "heap/object/heap.h"
#include "heap/process/allocation.h"

namespace mmt::harden {

constinit __thread Quarantine* current_quarantine = nullptr;
constinit bool is_shared = false;
constinit uint8_t* states_of_zero = nullptr;

namespace {

constinit std::atomic<uint32_t> threads{0};
constexpr size_t kBytes = core::align_up(sizeof(Quarantine), sys::kPageSize);

// From many threads on each keeps less.
constexpr uint32_t kManyThreads = 16;
constexpr uint32_t kFewPlaces = 32;

constinit std::atomic<Quarantine*> first{nullptr};

// nullptr: no memory is to be had.
Quarantine* any_quarantine(store::Budget& budget) {
  for (Quarantine* one = first_quarantine(); one != nullptr; one = one->next_in_list())
    if (one->take()) return one;
  auto* const made = static_cast<Quarantine*>(budget.map_anywhere(kBytes));
  if (made == nullptr) return nullptr;
  made->take();
  Quarantine* head = first.load(std::memory_order_relaxed);
  do {
    made->set_next(head);
    // Release: whoever finds it sees what it is.
  } while (!first.compare_exchange_weak(head, made, std::memory_order_release,
                                        std::memory_order_relaxed));
  return made;
}

}  // namespace

namespace {

void let_go(heap::Heap& heap, void* block) {
  if (settings.checks_freed) look_at_leaving(block, nullptr);
  heap::deallocate(heap, block);
}

}  // namespace

Quarantine* first_quarantine() { return first.load(std::memory_order_acquire); }

MMT_COLD Quarantine* begin_quarantine(heap::Heap& heap) {
  if (current_quarantine != nullptr) return current_quarantine;
  if (heap::thread_state.ended || !heap.is_open()) return nullptr;
  const uint32_t others = threads.fetch_add(1, std::memory_order_relaxed);
  if (others != 0) {
    __atomic_store_n(&is_shared, true, __ATOMIC_RELAXED);
    // The first thread may be amid a claim that takes no lock on the bus.
    if (others == 1) static_cast<void>(sys::restart_sequences());
  }
  Quarantine* const made = any_quarantine(heap.depot.budget());
  if (made == nullptr) return nullptr;
  const uint64_t seed = heap.repeatable ? 1 : sys::random_bits();
  made->open(seed, others < kManyThreads ? Quarantine::kSmallPlaces : kFewPlaces, ms_now());
  Quarantine* none = nullptr;
  // A handler of a signal may have begun one in between.
  if (!__atomic_compare_exchange_n(&current_quarantine, &none, made, false, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED))
    made->give_back();
  return current_quarantine;
}

void distrust_in_child() {
  if (is_shared) settings.looks_left = settings.trusts_others = false;
}

void release_old(heap::Heap& heap, uint64_t now_ms) {
  Quarantine* const one = current_quarantine;
  if (MMT_LIKELY(one == nullptr || !one->is_old(now_ms))) return;
  one->empty(now_ms, [&heap](void* block) { let_go(heap, block); });
}

MMT_COLD void end_quarantine(heap::Heap& heap) {
  Quarantine* const ended = current_quarantine;
  if (ended == nullptr) return;
  current_quarantine = nullptr;
  ended->empty(0, [&heap](void* block) { let_go(heap, block); });
  ended->give_back();
}

}  // namespace mmt::harden
