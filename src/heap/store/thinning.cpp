#include "heap/store/thinning.h"

#include <mmt/sys/pages.h>

#include "heap/store/free_pages.h"

namespace mmt::store {
namespace {

constexpr size_t kLeastRun = 16384;  // smaller ones are not worth a system call

}  // namespace

void Thinning::open(Region* region, Spans* spans) {
  region_ = region;
  spans_ = spans;
}

Slot Thinning::begin(LockToken lock, Slot* from, size_t most, uint64_t* words) {
  const size_t end = region_->frontier();
  Slot slot = *from;
  for (; slot < end && most != 0; --most) {
    const uint8_t c = region_->class_of_record(slot);
    // A span that is being carved may show its later slots first.
    if (c == kNoClass || c >= kClassCount || slot != span_start(slot, c)) {
      ++slot;
      continue;
    }
    Span& span = region_->span(slot);
    const Slot next = slot + kClasses[c].span_slots;
    if (span.queue == SpanQueueKind::kRich && span.idle == SpanIdle::kSeen) {
      spans_->take_idle(lock, slot, words);
      *from = next;
      return slot;
    }
    if (span.idle == SpanIdle::kTouched) span.idle = SpanIdle::kSeen;
    slot = next;
  }
  *from = slot;
  return kNoSlot;
}

size_t Thinning::thin_pages(Slot slot, const uint64_t* words, Discard discard) {
  size_t given = 0;
  for_each_free_run(region_->span(slot).size_class, words, kLeastRun,
                    [&](size_t offset, size_t bytes) {
                      char* const at = region_->address(slot) + offset;
                      if (discard != nullptr ? discard(at, bytes) : sys::discard(at, bytes))
                        given += bytes;
                    });
  return given;
}

void Thinning::end(LockToken lock, Slot slot, const uint64_t* words) {
  Span& span = region_->span(slot);
  if (span.idle == SpanIdle::kTouched) {  // blocks came meanwhile: the span may dissolve
    spans_->put_words(lock, slot, words);
    return;
  }
  spans_->put_idle(lock, slot, words);
  span.idle = SpanIdle::kThinned;
}

}  // namespace mmt::store
