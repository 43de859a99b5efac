// cfront: a compiler's front end on obstacks, with a rest of compilation behind it. It reads a
// subset of C, checks it, and turns it into code with registers assigned. The variants of the
// program differ in their obstacks only. By default it compiles a large generated source. Before
// that, it compiles a source with known answers, which it also runs. Metrics: parse_s, total_s,
// wall seconds of all rounds.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "classic/cfront/back/machine.h"
#include "classic/cfront/source_text.h"
#include "common/clock.h"
#include "common/data_folder.h"
#include "common/flags.h"
#include "common/report.h"

namespace {

using namespace mmt::workloads;

int64_t run(const std::string& path, UnitResult* result) {
  const std::string text = source_text(path);
  Machine* machine = machine_new();
  const UnitTaker taker = {machine_take, machine};
  unit_compile(text.c_str(), path.c_str(), &taker, result);
  const int64_t value = machine_run(machine);
  machine_free(machine);
  unit_close();
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags(CFRONT_VARIANT, argc, argv);
  const bool small = flags.given("small");
  const bool run_it = flags.given("run");
  const std::string folder = data_folder(flags.text("data", ""), "cfront");
  std::string path(flags.text("source", ""));
  uint64_t rounds = flags.number("rounds", small ? 1 : 2);
  flags.finish();
  if (rounds == 0) rounds = 1;
  const bool is_own = path.empty();
  if (is_own) path = folder + (small ? "/small.c.txt" : "/large.c.txt.zst");

  UnitResult result;
  if (run_it) {
    // For sources of the user's: prints, and ends with main's value.
    return static_cast<int>(run(path, &result) & 0xff);
  }
  if (is_own) {
    const int64_t wrong = run(folder + "/answers.c.txt", &result);
    if (wrong != 0) {
      cfront_fail(kStatusWrong, "wrong: answer %" PRId64 " of answers.c.txt", wrong);
    }
  }

  const std::string text = source_text(path);
  uint64_t first_checksum = 0;
  double parse = 0;
  Stopwatch watch;
  for (uint64_t round = 0; round < rounds; ++round) {
    unit_compile(text.c_str(), path.c_str(), nullptr, &result);
    unit_close();
    parse += result.parse_seconds;
    if (round == 0) first_checksum = result.checksum;
    require(result.checksum == first_checksum, CFRONT_VARIANT, "the same source, other code");
  }
  const double total = watch.lap();
  std::printf("functions %ld symbols %ld instructions %ld in frame %ld checksum %016" PRIx64 "\n",
              result.functions, result.symbols, result.instructions, result.in_frame,
              result.checksum);
  std::fflush(stdout);

  Report report(CFRONT_VARIANT);
  report.add("parse_s", parse, "s");
  report.add("total_s", total, "s");
  return report.finish();
}
