// stamp: applications of transactional memory, each run sequentially or by threads, each checking
// its own result. Prints one JSON object; status 1 when a check fails.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "common/flags.h"
#include "stm/common/bench_report.h"
#include "stm/common/command_line.h"
#include "stm/common/regions.h"
#include "stm/stamp/applications.h"
#include "stm/stamp/oracles.h"

namespace {

using namespace mmt::workloads::stm;

[[noreturn]] void refuse(const char* what) {
  std::fprintf(stderr, "stamp: %s\n", what);
  std::exit(2);
}

// Oracles have inputs, threads and a world of their own: whatever else is asked for would be
// ignored.
void refuse_beside_oracles(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--application") {
      ++i;
    } else if (word.starts_with("--") && word != "--oracles" && word != "--help" &&
               !word.starts_with("--application=")) {
      std::fprintf(stderr,
                   "stamp: --oracles are sequential, on the native inputs: %s does not apply\n",
                   argv[i]);
      std::exit(2);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  mmt::workloads::Flags flags("stamp", argc, argv);
  const bool oracles = flags.given("oracles");
  const std::string_view name =
      flags.text("application", oracles ? "all" : "", application_names(oracles));
  const Size size = choice<Size>(
      flags, "size",
      {"small", "short", "middle", "native", "small-low", "short-low", "middle-low", "native-low"});
  const uint64_t threads = flags.number("threads", 1);
  const bool plain = flags.given("sequential");
  const mmt::stm::Options options = options_of(flags, "stamp", false);
  flags.finish();
  if (oracles) refuse_beside_oracles(argc, argv);
  if (oracles) return print_oracles(name);
  if (threads < 1 || threads > 256) refuse("--threads is 1 to 256");
  if (plain && threads > 1) refuse("--sequential is one thread");
  const Application* const application = find_application(name);
  if (application == nullptr) refuse("--application names none: see --help");

  Result result;
  std::printf("{\"application\": \"%s\", \"size\": \"%s%s\", \"transactions\": \"%s\", ",
              application->name, by_size(size, "small", "short", "middle", "native"),
              is_low(size) ? "-low" : "", plain ? "none" : "stm");
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
  if (!plain) print_options(options);
  if (!plain) print_statistics(statistics);
  std::printf("}\n");
  BenchReport report("stamp");
  report.add("seconds", result.seconds, "s");
  for (const auto& [key, value] : result.numbers) {
    if (key.find(' ') == std::string::npos) report.add(key, static_cast<double>(value), "count");
  }
  report.add_regions();
  if (!plain) report.add(statistics);
  return result.right ? 0 : 1;
}
