#include "guard/pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/sys/syscall.h>

namespace mmt::guard {
namespace {

constexpr int kShut = PROT_NONE;
constexpr int kOpen = PROT_READ | PROT_WRITE;
constexpr int kReserved = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

constexpr unsigned kStateBits = 3;
// What lies around a block on its pages, as no text and no small number is.
constexpr uint8_t kPattern = 0xB7;
// So much of what lies before a block is looked at.
constexpr size_t kMostBefore = 256;
// A block this large may hold a page of its own, whose rights the program may have changed.
constexpr size_t kWholePage = sys::kPageSize;

bool protect(const void* at, size_t bytes, int rights) {
  return sys::raw_syscall(SYS_mprotect, sys::pointer_argument(at), static_cast<long>(bytes),
                          rights) == 0;
}

char* page_down(char* at) { return at - reinterpret_cast<uintptr_t>(at) % sys::kPageSize; }

struct Pages {
  char* start;
  char* end;
  size_t bytes() const { return static_cast<size_t>(end - start); }
};

Pages pages_of(const Record& record) {
  char* const last = record.block + std::max<size_t>(record.bytes, 1) - 1;
  return {page_down(record.block), page_down(last) + sys::kPageSize};
}

char* start_of_pattern(const Record& record, const Pages& pages) {
  return record.block -
         std::min<size_t>(kMostBefore, static_cast<size_t>(record.block - pages.start));
}

const char* first_other(const char* from, const char* to) {
  constexpr uint64_t kWord = 0x0101010101010101 * uint64_t{kPattern};
  uint64_t word;
  for (; to - from >= 8; from += 8) {
    memcpy(&word, from, sizeof word);
    if (word != kWord) break;
  }
  while (from != to && static_cast<uint8_t>(*from) == kPattern) ++from;
  return from != to ? from : nullptr;
}

}  // namespace

constinit Pool pool{};

void Pool::reserve() {
  const long base = sys::raw_syscall(SYS_mmap, 0, long{kPoolBytes}, kShut, kReserved, -1, 0);
  if (base > 0) base_.store(static_cast<uintptr_t>(base), std::memory_order_relaxed);
}

char* Pool::room(Place place) const {
  return reinterpret_cast<char*>(base_.load(std::memory_order_relaxed)) + place * kStride +
         kGuardBytes;
}

Place Pool::place_of(const void* address) const {
  const auto offset = reinterpret_cast<uintptr_t>(address) - base_.load(std::memory_order_relaxed);
  // The last guard is behind the last room.
  return static_cast<Place>(std::min(offset / kStride, kPlaces - 1));
}

bool Pool::is_on_pages(Place place, const void* address) const {
  const Pages pages = pages_of(records_[place]);
  return address >= pages.start && address < pages.end;
}

size_t Pool::live_bytes() const {
  size_t bytes = 0;
  for (Place place = 0; place < kPlaces; ++place) {
    const State now = state(place);
    if (now == State::kLive || now == State::kToldLive) bytes += records_[place].bytes;
  }
  return bytes;
}

bool Pool::change(Place place, State from, State to) {
  uint64_t seen = words_[place].load(std::memory_order_relaxed);
  if (state_of(seen) != from) return false;
  const uint64_t next = seen >> kStateBits << kStateBits | static_cast<uint64_t>(to);
  // Acquire and release: whoever changes a state sees what was done in the one before.
  if (!words_[place].compare_exchange_strong(seen, next, std::memory_order_acq_rel,
                                             std::memory_order_relaxed))
    return false;
  // Relaxed: a number by which nothing else is found.
  if (from == State::kLive) live_.fetch_sub(1, std::memory_order_relaxed);
  if (from == State::kClosing && to == State::kLive) live_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

// The place with the smallest word is the one that was freed first.
Place Pool::take_oldest() {
  for (int attempt = 0; attempt < 4; ++attempt) {
    Place oldest = kNoPlace;
    uint64_t least = ~uint64_t{0};
    for (Place place = 0; place < kPlaces; ++place) {
      const uint64_t seen = words_[place].load(std::memory_order_relaxed);
      if (state_of(seen) != State::kFree || seen >= least) continue;
      oldest = place;
      least = seen;
    }
    if (oldest == kNoPlace || change(oldest, State::kFree, State::kOpening)) return oldest;
  }
  return kNoPlace;
}

void Pool::lay_out(Place place, size_t bytes, size_t alignment, uint64_t random) {
  Record& record = records_[place];
  char* const start = room(place);
  const size_t least = std::max<size_t>(bytes, 1);
  const bool is_left = (random & 1) != 0;
  record.block =
      is_left ? start
              : start + core::align_down(kRoomBytes - least, std::max<size_t>(alignment, 16));
  record.bytes = static_cast<uint32_t>(bytes);
  record.freed.count = 0;
  record.retries.store(0, std::memory_order_relaxed);
}

Place Pool::open(size_t bytes, size_t alignment, uint64_t random) {
  if (base_.load(std::memory_order_relaxed) == 0) return kNoPlace;
  if (live_.fetch_add(1, std::memory_order_relaxed) < kMostLive) {
    const Place place = take_oldest();
    if (place != kNoPlace) {
      lay_out(place, bytes, alignment, random);
      const Record& record = records_[place];
      const Pages pages = pages_of(record);
      if (protect(pages.start, pages.bytes(), kOpen)) {
        char* const before = start_of_pattern(record, pages);
        char* const behind = record.block + bytes;
        memset(before, kPattern, static_cast<size_t>(record.block - before));
        memset(behind, kPattern, static_cast<size_t>(pages.end - behind));
        return place;
      }
      records_[place].block = nullptr;
      change(place, State::kOpening, State::kFree);
    }
  }
  live_.fetch_sub(1, std::memory_order_relaxed);
  return kNoPlace;
}

void Pool::hand_out(Place place) { change(place, State::kOpening, State::kLive); }

const char* Pool::damage(Place place) const {
  const Record& record = records_[place];
  const Pages pages = pages_of(record);
  if (record.bytes >= kWholePage) protect(pages.start, pages.bytes(), kOpen);
  const char* const behind = first_other(record.block + record.bytes, pages.end);
  return behind != nullptr ? behind : first_other(start_of_pattern(record, pages), record.block);
}

// What a small block held stays, for whoever goes on using it after a report. A large one
// loses all: its memory, and what the program did to its pages.
void Pool::close(Place place) {
  const Pages pages = pages_of(records_[place]);
  const bool is_renewed =
      records_[place].bytes >= kWholePage &&
      sys::raw_syscall(SYS_mmap, sys::pointer_argument(pages.start),
                       static_cast<long>(pages.bytes()), kShut, kReserved | MAP_FIXED, -1, 0) > 0;
  if (!is_renewed && !protect(pages.start, pages.bytes(), kShut)) {
    change(place, State::kClosing, State::kTold);
    return;
  }
  uint64_t seen = words_[place].load(std::memory_order_relaxed);
  if (state_of(seen) != State::kClosing) return;  // a fork's child has given it up
  const uint64_t now = frees_.fetch_add(1, std::memory_order_relaxed) + 1;
  // Release: what is told of the block is written before.
  words_[place].compare_exchange_strong(seen,
                                        now << kStateBits | static_cast<uint64_t>(State::kFree),
                                        std::memory_order_release, std::memory_order_relaxed);
}

bool Pool::open_for_good(Place place, const void* met) {
  const char* const start = room(place);
  const char* const end = start + kRoomBytes;
  if (met != nullptr && met < start && !protect(start - kGuardBytes, kGuardBytes, kOpen))
    return false;
  if (met != nullptr && met >= end && !protect(end, kGuardBytes, kOpen)) return false;
  return protect(start, kRoomBytes, kOpen);
}

void Pool::renew_in_child() {
  for (Place place = 0; place < kPlaces; ++place) {
    const bool was_opening = change(place, State::kOpening, State::kTold);
    if (was_opening) live_.fetch_sub(1, std::memory_order_relaxed);
    if (was_opening || change(place, State::kClosing, State::kTold)) open_for_good(place);
  }
}

}  // namespace mmt::guard
