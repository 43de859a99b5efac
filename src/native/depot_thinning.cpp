// Thinning: whole pages of free blocks go back to the OS from spans that a few live blocks keep.
#include "native/depot.h"
#include "native/free_pages.h"

namespace mmt::native {
namespace {

constexpr size_t kLeastRun = 16384;  // smaller ones are not worth a system call

}  // namespace

Slot Depot::begin_thin(LockToken, Slot* from, size_t most, uint64_t* words) {
  const size_t end = region_.frontier();
  Slot slot = *from;
  for (; slot < end && most != 0; --most) {
    const uint8_t c = region_.class_of_record(slot);
    // A span that is being carved may show its later slots first.
    if (c == kNoClass || c >= kClassCount || slot != span_start(slot, c)) {
      ++slot;
      continue;
    }
    Span& span = region_.span(slot);
    const Slot next = slot + kClasses[c].span_slots;
    if (span.queue == SpanQueueKind::kRich && span.idle == SpanIdle::kSeen) {
      dequeue(slot, span);
      take_free_bits(slot, span, words);
      *from = next;
      return slot;
    }
    if (span.idle == SpanIdle::kTouched) span.idle = SpanIdle::kSeen;
    slot = next;
  }
  *from = slot;
  return kNoSlot;
}

size_t Depot::thin_pages(Slot slot, const uint64_t* words, Discard discard) {
  size_t given = 0;
  for_each_free_run(region_.span(slot).size_class, words, kLeastRun,
                    [&](size_t offset, size_t bytes) {
                      char* const at = region_.address(slot) + offset;
                      if (discard != nullptr ? discard(at, bytes) : sys::discard(at, bytes))
                        given += bytes;
                    });
  return given;
}

void Depot::end_thin(LockToken lock, Slot slot, const uint64_t* words) {
  Span& span = region_.span(slot);
  if (span.idle == SpanIdle::kTouched) {  // blocks came meanwhile: the span may dissolve
    put_words(lock, slot, words);
    return;
  }
  const bool others = spans_touched();
  put_words(lock, slot, words);
  span.idle = SpanIdle::kThinned;
  spans_touched_.store(others, std::memory_order_relaxed);
}

}  // namespace mmt::native
