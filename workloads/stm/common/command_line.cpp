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

namespace {

enum class Setting : uint8_t { kSafe, kTinyStm, kEpochs };

// That of each setting. Ours waits anyway.
constexpr const char* kReclamations[] = {"quiesce", "immediate", "epoch"};

mmt::stm::Reclamation reclamation_named(std::string_view name) {
  if (name == kReclamations[1]) return mmt::stm::Reclamation::kImmediate;
  if (name == kReclamations[2]) return mmt::stm::Reclamation::kEpoch;
  return mmt::stm::Reclamation::kQuiesce;
}

const char* name_of(mmt::stm::Reclamation reclamation) {
  for (const char* const name : kReclamations) {
    if (reclamation_named(name) == reclamation) return name;
  }
  return "";
}

}  // namespace

mmt::stm::Options options_of(Flags& flags, const char* program, bool free_locks_all) {
  mmt::stm::Options options;
  options.design = choice<mmt::stm::Design>(
      flags, "design", {"write-back", "commit-time", "write-through", "norec"});
  options.manager = choice<mmt::stm::Manager>(flags, "contention", {"suicide", "delay", "backoff"});
  options.hash =
      choice<mmt::stm::Hash>(flags, "hash", {"mask", "byte-swap", "multiply", "xor-fold"});
  const Setting setting = choice<Setting>(flags, "setting", {"safe", "tinystm", "epochs"});
  const std::string_view reclamation =
      flags.text("reclamation", kReclamations[static_cast<size_t>(setting)],
                 {kReclamations[0], kReclamations[1], kReclamations[2]});
  options.reclamation = reclamation_named(reclamation);
  // Asked in any case, so that the flag is known.
  const bool unsafe = flags.given("unsafe-privatization");
  options.safe_privatization = setting == Setting::kSafe && !unsafe;
  options.validate_every = static_cast<unsigned>(
      flags.number("validate-every", setting == Setting::kSafe ? 0 : kValidateEvery));
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

void print_options(const mmt::stm::Options& of) {
  std::printf(", \"privatization\": \"%s\", \"reclamation\": \"%s\", \"validate_every\": %u",
              of.safe_privatization ? "safe" : "none", name_of(of.reclamation), of.validate_every);
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
