// Why two transactions met at an orec, from the words that were written under it.
#pragma once

#include <cstdint>

#include <mmt/stm/descriptor.h>

namespace mmt::stm {

// The cause of the abort that the descriptor tells of. Where validation failed, it is the closest
// of the causes of all words that were read under the orec. The descriptor's thread asks. The
// answer is a guess, as others may write meanwhile.
template <class World>
Cause cause_of(Descriptor<World>& d) {
  if (d.contended == nullptr) return Cause::kNoWord;
  if (!d.shared.attribution.on()) return Cause::kUnknown;
  const auto& written = d.shared.attribution[d.shared.orecs.number_of(*d.contended)];
  const unsigned shift = d.shared.orecs.shift();
  if (d.about != nullptr) {
    const StripedWord word(d.about, shift);
    const bool locked = d.reason == Reason::kLockedRead || d.reason == Reason::kLockedWrite;
    return locked ? written.of_holder(word) : written.since(d.end, word);
  }
  Cause closest = Cause::kAlias;
  for (size_t i = 0; i < d.reads.size(); ++i) {
    if (d.reads[i].orec != d.contended) continue;
    const StripedWord word(d.read_words[i], shift);
    const Cause cause = written.since(orec::version(d.reads[i].seen), word);
    if (cause < closest) closest = cause;
  }
  return closest;
}

}  // namespace mmt::stm
