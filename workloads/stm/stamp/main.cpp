// stamp: applications of transactional memory, each run sequentially or by threads, each checking
// its own result. Prints one JSON object; status 1 when a check fails.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "common/flags.h"
#include "stm/common/regions.h"
#include "stm/stamp/applications.h"
#include "stm/stamp/oracles.h"

namespace {

using namespace mmt::workloads::stm;

[[noreturn]] void refuse(const char* what) {
  std::fprintf(stderr, "stamp: %s\n", what);
  std::exit(2);
}

// One of `names`, which go by the values of the enumeration.
template <class Enum>
Enum choice(mmt::workloads::Flags& flags, std::string_view flag,
            std::initializer_list<std::string_view> names) {
  const std::string_view chosen = flags.text(flag, *names.begin(), names);
  unsigned at = 0;
  for (std::string_view name : names) {
    if (name == chosen) break;
    ++at;
  }
  return static_cast<Enum>(at);
}

mmt::stm::Options options_of(mmt::workloads::Flags& flags) {
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
  options.free_locks_all_words = flags.given("free-locks-all");
  options.safe_privatization = !flags.given("unsafe-privatization");
  if (!options.valid()) refuse("--shift is 3 to 8, --log2-orecs at most 24");
  return options;
}

void print_stm(const mmt::stm::Statistics& of) {
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

}  // namespace

int main(int argc, char** argv) {
  mmt::workloads::Flags flags("stamp", argc, argv);
  const bool oracles = flags.given("oracles");
  const std::string_view name = flags.text("application", oracles ? "all" : "", {});
  const Size size = choice<Size>(flags, "size", {"small", "native"});
  const uint64_t threads = flags.number("threads", 1);
  const bool plain = flags.given("sequential");
  const mmt::stm::Options options = options_of(flags);
  flags.finish();
  if (oracles) return print_oracles(name);
  if (threads < 1 || threads > 256) refuse("--threads is 1 to 256");
  if (plain && threads > 1) refuse("--sequential is one thread");
  const Application* const application = find_application(name);
  if (application == nullptr) {
    std::string names;
    for (const Application& one : applications()) names.append(" ").append(one.name);
    refuse(("--application is one of" + names).c_str());
  }

  Result result;
  std::printf("{\"application\": \"%s\", \"size\": \"%s\", \"transactions\": \"%s\", ",
              application->name, size == Size::kSmall ? "small" : "native", plain ? "none" : "stm");
  mmt::stm::Statistics statistics;
  if (plain) {
    PlainWorld world;
    result = application->sequential(world, size);
  } else {
    StmWorld world(options, static_cast<unsigned>(threads));
    result = application->transactional(world, size);
    statistics = world.memory().statistics();
  }
  std::printf("\"threads\": %llu, \"right\": %s, \"seconds\": %.3f",
              static_cast<unsigned long long>(threads), result.right ? "true" : "false",
              result.seconds);
  for (const auto& [key, value] : result.numbers) {
    std::printf(", \"%s\": %llu", key.c_str(), static_cast<unsigned long long>(value));
  }
  std::printf(", ");
  print_counts(stdout);
  if (!plain) print_stm(statistics);
  std::printf("}\n");
  return result.right ? 0 : 1;
}
