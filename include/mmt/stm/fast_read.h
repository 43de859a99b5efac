// What a read takes when nothing is in its way: a free orec within the snapshot. It is inlined
// where a program reads; whatever it says no to is left to the design (design/table.h).
//
// An attempt runs, or fast_limit is 0, and the answer is no.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/stm/descriptor.h>
#include <mmt/stm/design/time_based.h>

namespace mmt::stm {

// One question for both: `at` is a multiple of kBytes, and its orec is found by the mask.
template <size_t kBytes, class World>
MMT_ALWAYS_INLINE bool is_usual(const Descriptor<World>& d, const void* at) {
  return (reinterpret_cast<uintptr_t>(at) & (d.unusual - (8 - kBytes))) == 0;
}

// `at` is a multiple of kBytes, under `orec`. False: nothing has changed.
template <size_t kBytes, class World>
MMT_ALWAYS_INLINE bool read_under(Descriptor<World>& d,
                                  const typename Descriptor<World>::Orec& orec, const void* at,
                                  RawOf<kBytes>* out) {
  const uint64_t seen = orec.load(World::order(kOrecSeen));
  const RawOf<kBytes> value = World::template load_raw<kBytes>(at);
  if constexpr (World::kPlanted != Fault::kLooksOnce) {
    // Relaxed: the load of the value orders it.
    if (MMT_UNLIKELY(orec.load(sync::kRelaxed) != seen)) return false;
  }
  if (MMT_UNLIKELY(seen >= d.fast_limit)) return false;
  // Validation has to find the first of two versions of one orec, which is kept already.
  if (d.last_read != &orec) {
    if (MMT_LIKELY(d.reads.has_room()) || (d.keeps_reads && d.reads.reserve())) {
      d.reads.push_reserved({&orec, seen});
      d.last_read = &orec;
    } else if (MMT_UNLIKELY(d.keeps_reads)) {
      return false;
    }
  }
  *out = value;
  return true;
}

// `at` is usual.
template <size_t kBytes, class World>
MMT_ALWAYS_INLINE bool read_fast(Descriptor<World>& d, const void* at, RawOf<kBytes>* out) {
  const auto& orec = d.orecs.masked(static_cast<const typename World::Word*>(at));
  return read_under<kBytes>(d, orec, at, out);
}
// It is a multiple of kBytes, whatever the hash. The last read before a validation is the design's.
template <size_t kBytes, class World>
MMT_NOINLINE bool read_hashed(Descriptor<World>& d, const void* at, RawOf<kBytes>* out) {
  if (MMT_UNLIKELY(d.left == 1)) return false;
  const auto& orec = d.orecs.of(static_cast<const typename World::Word*>(at));
  if (MMT_UNLIKELY(!read_under<kBytes>(d, orec, at, out))) return false;
  --d.left;
  return true;
}

}  // namespace mmt::stm
