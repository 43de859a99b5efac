// lindsay: simulates a hypercube of nodes that run one script and pass messages. Checks what the
// script checks, that no message is lost or changed or takes a longer way than it must, and the
// nodes' work.
#include <climits>
#include <cstring>

#include "base/fail.h"
#include "base/output.h"
#include "base/program.h"
#include "base/text_file.h"
#include "common/clock.h"
#include "lindsay/cube.h"
#include "lindsay/default_script.h"
#include "lindsay/script.h"

namespace {

using namespace mmt::workloads;
using namespace mmt::workloads::classic;
using namespace mmt::workloads::classic::lindsay;

struct Request {
  uint64_t dimension;  // 0: as the script says.
  uint64_t scale;
  uint64_t statements;
};

int run(const char* name, std::string_view text, const Request& request, const Program& program) {
  Stopwatch watch;
  Outcome outcome;
  size_t dimension = request.dimension;
  {
    Script script(name, text);
    if (dimension == 0) dimension = script.dimension();
    if (dimension < 1 || dimension > Cube::kMaxDimension) {
      bad_input("%s: the dimension must be from 1 to %zu", name, Cube::kMaxDimension);
    }
    outcome = Cube(script, dimension, static_cast<int64_t>(request.scale)).run(request.statements);
  }
  double passed = watch.lap();
  {
    Output output;
    output.print("%zu nodes, %llu messages, %llu hops, %llu steps, time %llu, work %016llx\n",
                 size_t{1} << dimension, static_cast<unsigned long long>(outcome.messages),
                 static_cast<unsigned long long>(outcome.hops),
                 static_cast<unsigned long long>(outcome.steps),
                 static_cast<unsigned long long>(outcome.time),
                 static_cast<unsigned long long>(outcome.checksum));
  }
  return program.report({seconds("simulate", passed), count("messages", outcome.messages),
                         count("longest_queue", outcome.longest_queue)});
}

}  // namespace

int main(int argc, char** argv) {
  Program program("lindsay", argc, argv);
  Request request;
  std::string_view path = program.text("script", "");
  request.dimension = program.number("dimension", program.small ? 4 : 0);
  request.scale = program.number("scale", program.small ? 1 : 200);
  request.statements = program.number("statements", 100'000'000);
  program.finish();
  if (request.scale > INT_MAX) bad_input("--scale: out of range");
  if (path.empty()) return run("exchange.cube", kDefaultScript, request, program);

  TextFile file(path);
  char name[256];
  if (path.size() >= sizeof name) bad_input("--script: the name is too long");
  std::memcpy(name, path.data(), path.size());
  name[path.size()] = '\0';
  return run(name, file.text(), request, program);
}
