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

// `at` is a multiple of kBytes. False: nothing has changed.
template <size_t kBytes, class World>
MMT_ALWAYS_INLINE bool read_fast(Descriptor<World>& d, const void* at, RawOf<kBytes>* out) {
  const auto& orec = d.orecs.of(static_cast<const typename World::Word*>(at));
  const uint64_t seen = orec.load(World::order(kOrecSeen));
  const RawOf<kBytes> value = World::template load_raw<kBytes>(at);
  if constexpr (World::kPlanted != Fault::kLooksOnce) {
    // Relaxed: the load of the value orders it.
    if (MMT_UNLIKELY(orec.load(sync::kRelaxed) != seen)) return false;
  }
  if (MMT_UNLIKELY(seen >= d.fast_limit)) return false;
  // Of two versions of one orec validation has to find the first, which is kept already.
  if (d.last_read != &orec && MMT_LIKELY(d.keeps_reads)) {
    if (MMT_UNLIKELY(!d.reads.push({&orec, seen}))) return false;
    d.last_read = &orec;
  }
  *out = value;
  return true;
}

}  // namespace mmt::stm
