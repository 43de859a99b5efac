#include "heap/object/client.h"

#include <algorithm>
#include <array>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>

namespace mmt::heap {
namespace {

constexpr size_t kHeaderBytes = core::align_up(sizeof(Client), 64);

struct Layout {
  std::array<uint32_t, kClassCount> words{};           // first word of a class
  std::array<uint32_t, kClassCount> thrifty_floors{};  // null entry of a thrifty class's cache
  std::array<uint32_t, kClassCount> floors{};          // of a class's cache
  uint32_t word_count = 0;
  uint32_t entry_count = 0;
};

constexpr Layout make_layout() {
  Layout layout;
  for (SizeClass c = 1; c < kClassCount; ++c) {
    layout.words[c] = layout.word_count;
    layout.word_count += kClasses[c].words;
    layout.thrifty_floors[c] = layout.entry_count;
    layout.entry_count += std::max(kThriftyCaches[c].widest, 1u) + 1;  // see few_wanted
  }
  for (SizeClass c = 1; c < kClassCount; ++c) {
    layout.floors[c] = layout.entry_count;
    layout.entry_count += kClasses[c].widest_cache + 1;
  }
  return layout;
}

constexpr Layout kLayout = make_layout();

uint64_t* words_of(Client* client) {
  return reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(client) + kHeaderBytes);
}

}  // namespace

constinit void* swept_entry = nullptr;

size_t Client::footprint() {
  return core::align_up(
      kHeaderBytes + kLayout.word_count * sizeof(uint64_t) + kLayout.entry_count * sizeof(void*),
      4096);
}

void Client::open(Heap& whose, uint32_t registry_index) {
  heap = &whose;
  index = registry_index;
  fast = empty_fast_part;
  for (SizeClass c = 1; c < kClassCount; ++c) sources[c].slot = kNoSlot;
  set_thrifty(false);
}

void Client::set_thrifty(bool value) {
  thrifty = value;
  void** entries = reinterpret_cast<void**>(words_of(this) + kLayout.word_count);
  const auto& floors = value ? kLayout.thrifty_floors : kLayout.floors;
  for (SizeClass c = 1; c < kClassCount; ++c) {
    sources[c].floor = entries + floors[c];
    fast.top[c] = sources[c].floor;
    set_cache_limit(c, first_limit(c));
  }
}

size_t Client::give_pages_back() {
  char* const end = reinterpret_cast<char*>(this) + footprint();
  const auto storage = reinterpret_cast<uintptr_t>(surplus.storage());
  auto* const from = reinterpret_cast<char*>(core::align_up(storage, sys::kPageSize));
  const auto bytes = static_cast<size_t>(end - from);
  return sys::discard(from, bytes) ? bytes : 0;
}

void Client::drop(SizeClass c) {
  fast.top[c] = sources[c].floor;
  set_cache_limit(c, first_limit(c));
  drop_source(c);
}

void Client::drop_source(SizeClass c) {
  sources[c].slot = kNoSlot;
  sources[c].word = sources[c].word_count = 0;
  sources[c].fresh = sources[c].fresh_end = nullptr;
  sources[c].pages = SpanPages::kUnknown;
}

uint64_t* Client::words(SizeClass c) { return words_of(this) + kLayout.words[c]; }

}  // namespace mmt::heap
