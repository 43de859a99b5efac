// Why two transactions met at an orec, from the words last written under it.
#pragma once

#include <cstdint>

#include <mmt/stm/descriptor.h>

namespace mmt::stm {

template <class World>
Cause cause_at(Descriptor<World>& d, const typename Descriptor<World>::Orec& orec,
               const typename World::Word* at) {
  auto& written = d.shared.attribution[d.shared.orecs.number_of(orec)];
  const auto address = reinterpret_cast<uintptr_t>(at);
  const unsigned shift = d.shared.orecs.shift();
  if (written.stripe.load(sync::kRelaxed) != address >> shift) return Cause::kAlias;
  const uint64_t bit = uint64_t{1} << (address >> 3 & ((uint64_t{1} << (shift - 3)) - 1));
  const bool same = (written.words.load(sync::kRelaxed) & bit) != 0;
  return same ? Cause::kTrue : Cause::kStripe;
}

// Of the abort that the descriptor tells of. Where validation failed, the closest of all words that
// were read under the orec.
template <class World>
Cause cause_of(Descriptor<World>& d) {
  if (d.contended == nullptr) return Cause::kNoWord;
  if (!d.shared.attribution.on()) return Cause::kUnknown;
  if (d.about != nullptr) return cause_at(d, *d.contended, d.about);
  Cause closest = Cause::kAlias;
  for (size_t i = 0; i < d.reads.size(); ++i) {
    if (d.reads[i].orec != d.contended) continue;
    const Cause cause = cause_at(d, *d.contended, d.read_words[i]);
    if (cause < closest) closest = cause;
  }
  return closest;
}

}  // namespace mmt::stm
