// The checks find what they are for: each heap here breaks one rule.
#include "unit/layers/conformance/faulty_heaps.h"

#include <ostream>

#include <gtest/gtest.h>

#include "unit/layers/conformance/checks.h"
#include "unit/layers/conformance/counting_sources.h"
#include "unit/layers/conformance/system_memory.h"

namespace mmt::layers::conformance {
namespace {

struct Fault {
  Composition composition;
  const char* check;
  const char* says;
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.composition.name; }

template <template <class> class Faulty, class Source = PlainSource>
Fault fault(const char* name, const char* check, const char* says, Terms terms = {}) {
  return {compose<Faulty<Source>>(name, terms), check, says};
}

std::vector<Fault> all_faults() {
  using namespace faulty;
  return {
      fault<FreelistWithoutEnd>("FreelistWithoutEnd", "freed", "the end left 100 blocks"),
      fault<ForgetfulBound>("ForgetfulBound", "order", "the end left"),
      fault<TooSmall>("TooSmall", "order", "written behind its end"),
      fault<Overlapping>("OverlappingSizes", "sizes", "lies in block", {.is_full_early = true}),
      fault<Overlapping>("OverlappingMix", "mix", "lies in block", {.is_full_early = true}),
      fault<Misaligned>("Misaligned", "sizes", "is not at 0 modulo 16"),
      fault<Wrapping>("Wrapping", "overflow", "malloc(18446744073709551615) gave a block"),
      fault<NothingForNothing>("NothingForNothing", "least_request", "0 bytes was refused"),
      fault<SaysTooLittle, SizedSource>("SaysTooLittle", "sizes", "get_size says 4 of a block for"),
      fault<SaysTooMuch, SizedSource>("SaysTooMuch", "sizes", "written behind its end"),
      fault<ExpandsInWords, SizedSource>("ExpandsInWords", "expand", "written behind its end"),
      fault<ExpandsInWords, SizedSource>("ExpandsInWordsMix", "mix", "written behind its end"),
      fault<WritesInto>("WritesInto", "order", "lost its contents"),
      fault<WritesAfterFree>("WritesAfterFree", "order", "written after it was freed"),
      fault<FreesTwice>("FreesTwice", "order", "freed, but not in use"),
      fault<OwnsAll>("OwnsAll", "owns", "owns() claims a local variable"),
      fault<OwnsNothing>("OwnsNothing", "sizes", "owns() does not know the block"),
      fault<PromisesMore, SizedSource>("PromisesMore", "good_size", "but a block has"),
      fault<PromisesTheImpossible, SizedSource>("PromisesTheImpossible", "overflow", "good_size("),
      fault<ClearsNothing>("ClearsNothing", "clear", "peak grew"),
      fault<AlignsToSixteen, SizedSource>("AlignsToSixteen", "allocate", "gave 0x"),
      fault<SaysAsked, SizedSource>("SaysAsked", "allocate", "said 1 bytes, get_size 24"),
      fault<ReallocFreesFirst, SizedSource>("ReallocFreesFirst", "many_faults",
                                            "freed, but not in use"),
      fault<ReallocForgets, SizedSource>("ReallocForgets", "realloc", "lost its contents"),
      fault<CallocWraps>("CallocWraps", "calloc", "calloc(2^33, 2^33) wrapped"),
      fault<CallocLeavesDirt>("CallocLeavesDirt", "calloc", "is not zero"),
      fault<KeepsInWords>("KeepsInWords", "keeping", "50 blocks went to the source"),
      fault<ContiguousInWords>("ContiguousInWords", "contiguous", "kContiguous, but"),
      fault<HalfDone>("HalfDone", "single_faults", "a refusal left"),
      fault<NeverReuses>("NeverReuses", "reuse", "grew from"),
      fault<SaysWrongSize, FullSource>("SaysWrongSize", "sizes", "freed with a wrong size"),
      fault<NeverRecovers>("NeverRecovers", "many_faults", "was refused"),
      fault<LeavesBlocks>("LeavesBlocks", "in_use", "the end left 100 blocks",
                          {.releases_live = true}),
      {compose<Copyable>("Copyable", {.gives_nothing = true}), "traits", "can be copied"},
      {compose<PlainSource>("GivesSomething", {.gives_nothing = true}), "nothing", "gave a block"},
      {compose<PlainSource>("OffersLess", {.offers = kGetSize}), "traits",
       "it offers 0x0, not 0x1"},
  };
}

class FaultyHeap : public testing::TestWithParam<Fault> {};

TEST_P(FaultyHeap, IsFound) {
  const std::string found = run_checks(GetParam().composition, GetParam().check);
  EXPECT_NE(found.find(GetParam().says), std::string::npos) << "found: " << found;
}

INSTANTIATE_TEST_SUITE_P(Checks, FaultyHeap, testing::ValuesIn(all_faults()),
                         [](const auto& info) { return info.param.composition.name; });

}  // namespace
}  // namespace mmt::layers::conformance
