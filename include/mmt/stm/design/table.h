// The designs behind one table of functions.
#pragma once

#include <mmt/stm/design/norec.h>
#include <mmt/stm/design/write_back_commit.h>
#include <mmt/stm/design/write_back_encounter.h>
#include <mmt/stm/design/write_through.h>

namespace mmt::stm {

// false: the attempt has to end, and the descriptor says why; the caller rolls it back. Only the
// attempt's thread calls these functions. Values lie where they lie in the word, and `mask` selects
// the bytes that are written; with 0 the word is locked at most.
template <class World>
struct Operations {
  using D = Descriptor<World>;
  using Word = typename World::Word;

  void (*begin)(D&);  // takes a snapshot
  bool (*read)(D&, const Word* at, Part part, uint64_t* out);
  bool (*write)(D&, Word* at, uint64_t value, uint64_t mask);
  bool (*validate)(D&);
  bool (*commit)(D&);
  void (*roll_back)(D&);
  bool fast_reads;
};

template <class Design, class World>
inline constexpr Operations<World> kOperationsOf{
    &Design::begin,  &Design::read,      &Design::write,    &Design::validate,
    &Design::commit, &Design::roll_back, Design::kFastReads};

template <class World>
const Operations<World>& operations_of(Design design) {
  switch (design) {
    case Design::kWriteBackCommit:
      return kOperationsOf<WriteBackCommit<World>, World>;
    case Design::kWriteThrough:
      return kOperationsOf<WriteThrough<World>, World>;
    case Design::kNorec:
      return kOperationsOf<Norec<World>, World>;
    case Design::kWriteBackEncounter:
      break;
  }
  return kOperationsOf<WriteBackEncounter<World>, World>;
}

}  // namespace mmt::stm
