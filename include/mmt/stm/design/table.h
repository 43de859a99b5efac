// The designs behind one table of functions.
#pragma once

#include <mmt/stm/design/norec.h>
#include <mmt/stm/design/write_back_commit.h>
#include <mmt/stm/design/write_back_encounter.h>
#include <mmt/stm/design/write_through.h>

namespace mmt::stm {

// Under Options::validate_every an attempt looks whether what it read still holds. It does so after
// so many reads, or as many as it keeps where that is more.
template <class Design, class World>
struct Validating : Design {
  using D = Descriptor<World>;
  using Word = typename World::Word;
  static constexpr bool kFastReads = Design::kFastReads;

  // Keeps reads where it is read-only, too.
  static void begin(D& d) {
    d.left = d.shared.options.validate_every;
    d.keep_reads(true);
    Design::begin(d);
  }
  static bool read(D& d, const Word* at, Part part, uint64_t* out) {
    if (MMT_UNLIKELY(--d.left == 0) && !holds(d)) return false;
    return Design::read(d, at, part, out);
  }
  static bool holds(D& d) {
    const uint64_t kept = d.reads.size() + d.values.size() + d.writes.size();
    const uint64_t every = d.shared.options.validate_every;
    d.left = kept > every ? kept : every;
    return Design::validate(d) || d.fail(Reason::kValidateMidway, d.contended, d.about);
  }
};

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
  bool (*holds)(D&);  // the same, where attempts look midway; true else
  bool (*commit)(D&);
  void (*roll_back)(D&);
  bool fast_reads;
};

template <class World>
bool always_holds(Descriptor<World>&) {
  return true;
}

template <class Design, class World>
inline constexpr Operations<World> kPlain{&Design::begin,     &Design::read,        &Design::write,
                                          &Design::validate,  &always_holds<World>, &Design::commit,
                                          &Design::roll_back, Design::kFastReads};

template <class Design, class World, class V = Validating<Design, World>>
inline constexpr Operations<World> kValidating{&V::begin, &V::read,   &V::write,     &V::validate,
                                               &V::holds, &V::commit, &V::roll_back, V::kFastReads};

template <class Design, class World>
const Operations<World>& one_of(bool validates) {
  return validates ? kValidating<Design, World> : kPlain<Design, World>;
}

// `validates`: as Options::validate_every says.
template <class World>
const Operations<World>& operations_of(Design design, bool validates) {
  switch (design) {
    case Design::kWriteBackCommit:
      return one_of<WriteBackCommit<World>, World>(validates);
    case Design::kWriteThrough:
      return one_of<WriteThrough<World>, World>(validates);
    case Design::kNorec:
      return one_of<Norec<World>, World>(validates);
    case Design::kWriteBackEncounter:
      break;
  }
  return one_of<WriteBackEncounter<World>, World>(validates);
}

}  // namespace mmt::stm
