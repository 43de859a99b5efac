#include "harden/look.h"

#include <algorithm>
#include <atomic>

#include <mmt/core/compiler.h>

#include "harden/freed_bytes.h"
#include "harden/settings.h"
#include "harden/telling.h"

namespace mmt::harden {
namespace {

// Blocks of so many bytes are copied by themselves: most of what lies beside them is not looked at.
constexpr size_t kManyBytes = 2048;

// --- freed blocks ---

// copied(from, bytes): a copy, or nullptr. What cannot be read was not written.
template <class Copied>
bool is_as_freed(Object object, Copied&& copied) {
  const size_t all = object.size - kTailBytes;
  for (size_t at = 0; at < all; at += HeapCopy::kBytes) {
    const size_t bytes = std::min(HeapCopy::kBytes, all - at);
    const char* const seen = copied(object.block + at, bytes);
    if (seen != nullptr && !are_as_freed(seen, bytes)) return false;
  }
  const char* const end = copied(object.tail(), kTailBytes);
  if (end == nullptr) return true;
  // What went back to the system has no tail either.
  const Tail tail = Tail::load(end);
  return tail.word == 0 || tail.is_right(object.tail());
}

bool is_written(HeapCopy& copy, Object object) {
  for (int look = 0; look < kLooks; ++look) {
    const auto fresh = [&copy](const char* from, size_t bytes) { return copy.fresh(from, bytes); };
    if (!is_at_rest(object.state_now()) || is_as_freed(object, fresh)) return false;
    // A thread that has taken the block wrote its state before anything else.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (!is_at_rest(object.state_now())) return false;
    pause_between_looks();
  }
  return true;
}

void look_at_freed_block(HeapCopy& copy, Object object, const char* end) {
  if ((object.state_now() & kTold) != 0) return;
  const auto copied = [&copy, end](const char* from, size_t bytes) {
    return copy.of(from, bytes, end);
  };
  if (MMT_LIKELY(is_as_freed(object, copied)) || !is_written(copy, object)) return;
  const Telling now;
  if (mark_told(object.state)) tell_of_written(object, nullptr);
}

// --- live blocks ---

// Whether what lies behind the program's bytes is as it was laid out.
template <class Copied>
bool is_end_whole(Object object, Copied&& copied) {
  const size_t bytes = object.bytes();
  if (bytes > object.size - kTailBytes) return false;  // laid out anew between two looks
  const size_t gap = object.size - kTailBytes - bytes;
  const size_t looked_at = std::min(gap, HeapCopy::kBytes - kTailBytes);
  const char* const from = object.tail() - looked_at;
  const char* const seen = copied(from, looked_at + kTailBytes);
  if (seen == nullptr) return true;
  if (!Tail::load(seen + looked_at).is_right(object.tail())) return false;
  if (bytes == 0 && settings.fills)
    return std::all_of(seen, seen + looked_at, [](char byte) { return byte == 0; });
  return looked_at != gap || is_gap_whole(seen, gap);
}

bool is_overwritten(HeapCopy& copy, Object object) {
  uint8_t state = object.state_now();
  for (int look = 0; look < kLooks; ++look) {
    if (!is_live(state)) return false;
    const auto fresh = [&copy](const char* from, size_t bytes) { return copy.fresh(from, bytes); };
    const bool is_whole = is_end_whole(object, fresh);
    std::atomic_thread_fence(std::memory_order_acquire);
    const uint8_t after = object.state_now();
    if (is_whole || after != state) return false;
    pause_between_looks();
    state = after;
  }
  return true;
}

// The block is the program's, and stays as it is.
void look_at_live_block(HeapCopy& copy, Object object, const char* end) {
  const auto copied = [&copy, end](const char* from, size_t bytes) {
    return copy.of(from, bytes, end);
  };
  if (MMT_LIKELY(is_end_whole(object, copied)) || !is_overwritten(copy, object)) return;
  const Telling now;
  tell_of_live(object, object.bytes(), nullptr);
}

}  // namespace

void look_at(HeapCopy& copy, Object object, const char* end) {
  if (object.size >= kManyBytes) end = object.block;
  const uint8_t state = object.state_now();
  if (is_live(state) && settings.checks_bounds) look_at_live_block(copy, object, end);
  if (is_at_rest(state)) look_at_freed_block(copy, object, end);
}

}  // namespace mmt::harden
