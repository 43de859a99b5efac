#include "stm/common/command_line.h"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include <mmt/stm/process_supply.h>

#include "stm/common/regions.h"

namespace mmt::workloads::stm {

const char* name_of(mmt::stm::Cause cause) {
  constexpr const char* kNames[] = {"true", "stripe", "alias", "no_word", "unknown"};
  static_assert(std::size(kNames) == mmt::stm::kCauses);
  return kNames[static_cast<size_t>(cause)];
}

mmt::stm::Options options_of(Flags& flags, const char* program, bool free_locks_all) {
  mmt::stm::Options options;
  options.design = choice<mmt::stm::Design>(
      flags, "design", {"write-back", "commit-time", "write-through", "norec"});
  options.manager = choice<mmt::stm::Manager>(flags, "contention", {"suicide", "delay", "backoff"});
  options.hash =
      choice<mmt::stm::Hash>(flags, "hash", {"mask", "byte-swap", "multiply", "xor-fold"});
  options.reclamation =
      choice<mmt::stm::Reclamation>(flags, "reclamation", {"quiesce", "immediate", "epoch"});
  // The first name is the default here: a doomed attempt must not meet memory that was unmapped.
  constexpr mmt::stm::Reclamation kByName[] = {mmt::stm::Reclamation::kQuiesce,
                                               mmt::stm::Reclamation::kImmediate,
                                               mmt::stm::Reclamation::kEpoch};
  options.reclamation = kByName[static_cast<unsigned>(options.reclamation)];
  options.caching =
      choice<mmt::stm::Caching>(flags, "caching", {"none", "abort", "commit", "both"});
  options.log2_orecs = static_cast<unsigned>(flags.number("log2-orecs", options.log2_orecs));
  options.shift = static_cast<unsigned>(flags.number("shift", options.shift));
  options.free_locks_all_words =
      flags.text("free-locks", free_locks_all ? "all" : "first", {"all", "first"}) == "all";
  options.attribute_aborts = flags.given("attribute");
  options.deferred_clock = flags.given("deferred-clock");
  options.most_retries = static_cast<unsigned>(flags.number("most-retries", options.most_retries));
  const uint64_t pad = flags.number("pad", 0);
  if (pad != 0 && (!std::has_single_bit(pad) || pad < sizeof(void*) || pad > 4096)) {
    std::fprintf(stderr, "%s: --pad is a power of two from 8 to 4096\n", program);
    std::exit(2);
  }
  pad_blocks(pad);
  if (flags.given("batch-frees")) options.supply = mmt::stm::process_supply();
  options.supply.allocate = padded_allocate;
  options.safe_privatization = !flags.given("unsafe-privatization");
  if (options.safe_privatization && options.reclamation != mmt::stm::Reclamation::kQuiesce) {
    std::fprintf(
        stderr,
        "%s: --reclamation changes nothing unless --unsafe-privatization is given: commits "
        "wait anyway\n",
        program);
    std::exit(2);
  }
  if (!options.valid()) {
    std::fprintf(stderr, "%s: --shift is 3 to 8, --log2-orecs at most 24\n", program);
    std::exit(2);
  }
  return options;
}

void print_statistics(const mmt::stm::Statistics& of) {
  std::printf(
      ", \"stm\": {\"attempts\": %llu, \"commits\": %llu, \"undone\": %llu, \"frees\": %llu",
      static_cast<unsigned long long>(of.attempts), static_cast<unsigned long long>(of.commits),
      static_cast<unsigned long long>(of.undone), static_cast<unsigned long long>(of.frees));
  for (size_t i = 0; i < static_cast<size_t>(mmt::stm::Reason::kReasons); ++i) {
    std::printf(", \"%s\": %llu", mmt::stm::name_of(static_cast<mmt::stm::Reason>(i)),
                static_cast<unsigned long long>(of.aborts[i]));
  }
  std::printf(", \"causes\": {");
  for (size_t i = 0; i < mmt::stm::kCauses; ++i) {
    std::printf("%s\"%s\": %llu", i == 0 ? "" : ", ", name_of(static_cast<mmt::stm::Cause>(i)),
                static_cast<unsigned long long>(of.causes[i]));
  }
  std::printf("}");
  std::printf("}");
}

}  // namespace mmt::workloads::stm
