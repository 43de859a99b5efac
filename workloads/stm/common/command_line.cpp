#include "stm/common/command_line.h"

#include <cstdio>
#include <cstdlib>

namespace mmt::workloads::stm {

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
  options.safe_privatization = !flags.given("unsafe-privatization");
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
  std::printf("}");
}

}  // namespace mmt::workloads::stm
