// espresso: minimises a two-level logic function, given as Berkeley PLA or made from a seed, and
// prints the result as PLA. The result is proved equivalent by tautologies before it is printed.
#include <algorithm>

#include "base/fail.h"
#include "base/output.h"
#include "base/program.h"
#include "common/clock.h"
#include "espresso/generate.h"
#include "espresso/minimise.h"
#include "espresso/pla.h"

namespace {

using namespace mmt::workloads;
using namespace mmt::workloads::classic;
using namespace mmt::workloads::classic::espresso;

struct Request {
  std::string_view file;  // Empty: generate.
  uint64_t inputs;
  uint64_t outputs;
  Recipe recipe;
};

// `watch` runs since before the function was read or made.
int run(const Function& function, std::string_view input_names, std::string_view output_names,
        const Program& program, Stopwatch* watch) {
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
  return program.report({seconds("minimise", minimise_s), seconds("prove", prove_s),
                         count("terms", function.on.size()),
                         count("off_terms", function.off.size()),
                         count("result_terms", result.size()), count("rounds", rounds)});
}

int run(const Request& request, const Program& program) {
  Stopwatch watch;
  if (!request.file.empty()) {
    Pla pla(request.file);
    return run(pla.function(), pla.input_names(), pla.output_names(), program, &watch);
  }
  Shape shape(request.inputs, request.outputs);
  Function function(shape);
  generate(request.recipe, &function);
  return run(function, {}, {}, program, &watch);
}

}  // namespace

int main(int argc, char** argv) {
  Program program("espresso", argc, argv);
  Request request;
  request.file = program.text("file", "");
  request.inputs = program.number("inputs", program.small ? 6 : 11);
  request.outputs = program.number("outputs", program.small ? 4 : 35);
  request.recipe.terms = program.number("terms", program.small ? 40 : 1500);
  request.recipe.seed = program.number("seed", 1);
  request.recipe.literals = program.number("literals", 70);
  request.recipe.ones = program.number("ones", 20);
  request.recipe.dont_cares = program.number("dont-cares", 5);
  program.finish();
  if (request.inputs < 1 || request.inputs > Shape::kMaxInputs) bad_input("--inputs: out of range");
  if (request.outputs < 1 || request.outputs > Shape::kMaxOutputs) {
    bad_input("--outputs: out of range");
  }
  if (request.recipe.literals > 100) bad_input("--literals: more than 100 of 100");
  if (request.recipe.ones > 100 || request.recipe.dont_cares > 100 - request.recipe.ones) {
    bad_input("--ones and --dont-cares: more than 100 of 100");
  }
  return run(request, program);
}
