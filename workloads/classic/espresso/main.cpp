// espresso: minimises a two-level logic function, given as Berkeley PLA or made from a seed, and
// prints the result as PLA. The result is proved equivalent by tautologies before it is printed.
#include <algorithm>

#include "base/fail.h"
#include "base/output.h"
#include "common/clock.h"
#include "common/flags.h"
#include "common/report.h"
#include "espresso/generate.h"
#include "espresso/minimise.h"
#include "espresso/pla.h"

namespace {

using namespace mmt::workloads;
using namespace mmt::workloads::classic;
using namespace mmt::workloads::classic::espresso;

constexpr const char* kProgram = "espresso";

struct Request {
  std::string_view file;  // Empty: generate.
  uint64_t inputs;
  uint64_t outputs;
  Recipe recipe;
  bool plain;
};

int report(const Function& function, const Cover& result, size_t rounds, double minimise_s,
           double prove_s) {
  Report report(kProgram);
  report.add("minimise", minimise_s, "s");
  report.add("prove", prove_s, "s");
  report.add("terms", static_cast<double>(function.on.size()), "count");
  report.add("off_terms", static_cast<double>(function.off.size()), "count");
  report.add("result_terms", static_cast<double>(result.size()), "count");
  report.add("rounds", static_cast<double>(rounds), "count");
  return report.finish();
}

// `watch` runs since before the function was read or made.
int run(const Function& function, std::string_view input_names, std::string_view output_names,
        bool plain, Stopwatch* watch) {
  Cover result(function.on.shape());
  size_t rounds = minimise(function, &result);
  double minimise_s = watch->lap();
  check(is_equivalent(function, result), "the result is another function");
  double prove_s = watch->lap();
  {
    Output output;
    Cost cost = cost_of(result);
    output.print("# %zu terms, %zu literals\n", cost.cubes, cost.literals);
    write_pla(result, input_names, output_names, &output);
  }
  return plain ? 0 : report(function, result, rounds, minimise_s, prove_s);
}

int run(const Request& request) {
  Stopwatch watch;
  if (!request.file.empty()) {
    Pla pla(request.file);
    return run(pla.function(), pla.input_names(), pla.output_names(), request.plain, &watch);
  }
  Shape shape(request.inputs, request.outputs);
  Function function(shape);
  generate(request.recipe, &function);
  return run(function, {}, {}, request.plain, &watch);
}

}  // namespace

int main(int argc, char** argv) {
  name_program(kProgram);
  Flags flags(kProgram, argc, argv);
  bool small = flags.given("small");
  Request request;
  request.plain = flags.given("plain");
  request.file = flags.text("file", "");
  request.inputs = flags.number("inputs", small ? 6 : 11);
  request.outputs = flags.number("outputs", small ? 4 : 35);
  request.recipe.terms = flags.number("terms", small ? 40 : 1500);
  request.recipe.seed = flags.number("seed", 1);
  request.recipe.literals = flags.number("literals", 70);
  request.recipe.ones = flags.number("ones", 20);
  request.recipe.dont_cares = flags.number("dont-cares", 5);
  flags.finish();
  if (request.inputs < 1 || request.inputs > Shape::kMaxInputs) bad_input("--inputs: out of range");
  if (request.outputs < 1 || request.outputs > Shape::kMaxOutputs) {
    bad_input("--outputs: out of range");
  }
  if (request.recipe.literals > 100) bad_input("--literals: more than 100 of 100");
  if (request.recipe.ones > 100 || request.recipe.dont_cares > 100 - request.recipe.ones) {
    bad_input("--ones and --dont-cares: more than 100 of 100");
  }
  return run(request);
}
