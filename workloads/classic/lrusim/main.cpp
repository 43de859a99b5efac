// lrusim: how local are the references of a trace? Finds the stack distance of each, and so the
// faults of LRU memories of every size at once. Checked against a naive algorithm on the trace's
// first references.
#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <climits>
#include <cstring>

#include "base/fail.h"
#include "base/output.h"
#include "base/program.h"
#include "common/clock.h"
#include "lrusim/histogram.h"
#include "lrusim/lru_stack.h"
#include "lrusim/naive_stack.h"
#include "lrusim/trace.h"

namespace {

using namespace mmt::workloads;
using namespace mmt::workloads::classic;
using namespace mmt::workloads::classic::lrusim;

struct Request {
  std::string_view trace;  // Empty: generate.
  std::string_view write;  // Empty: nowhere.
  Generator::Recipe recipe;
  uint64_t checked;
  bool histogram;
};

int open_to_write(std::string_view path) {
  char name[PATH_MAX];
  if (path.size() >= sizeof name) bad_input("--write: the name is too long");
  std::memcpy(name, path.data(), path.size());
  name[path.size()] = '\0';
  int file = ::open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) bad_input("cannot write %s: %s", name, std::strerror(errno));
  return file;
}

struct Analysis {
  LruStack stack;
  Histogram histogram;
  uint64_t references = 0;
};

template <typename Trace>
void analyse(Trace* trace, const Request& request, Analysis* analysis) {
  NaiveStack naive(request.checked);
  unsigned shift = static_cast<unsigned>(std::countr_zero(request.recipe.page_bytes));
  for (uint64_t address; trace->next(&address); ++analysis->references) {
    uint64_t page = address >> shift;
    uint64_t distance = analysis->stack.use(page);
    if (analysis->references < request.checked) {
      check(distance == naive.use(page), "a stack distance differs from the naive algorithm's");
    }
    analysis->histogram.add(distance);
  }
}

void analyse(const Request& request, Analysis* analysis) {
  if (request.trace.empty()) {
    Generator generator(request.recipe);
    return analyse(&generator, request, analysis);
  }
  TraceFile file(request.trace);
  analyse(&file, request, analysis);
}

// The generator's trace as a file that can be read again.
void write_trace(const Request& request) {
  int file = open_to_write(request.write);
  {
    Output output(file);
    Generator generator(request.recipe);
    for (uint64_t address; generator.next(&address);) {
      output.print("%llx\n", static_cast<unsigned long long>(address));
    }
  }
  if (::close(file) != 0) fail("cannot write the trace: %s", std::strerror(errno));
}

void print(const Analysis& analysis, bool histogram) {
  Output output;
  auto number = [](uint64_t value) { return static_cast<unsigned long long>(value); };
  output.print("%llu references, %llu pages; faults", number(analysis.references),
               number(analysis.stack.pages()));
  for (uint64_t pages = 16; pages <= 65536; pages *= 8) {
    output.print("%s %llu with %llu", pages == 16 ? "" : ",",
                 number(analysis.histogram.faults(pages)), number(pages));
  }
  output.print("\n");
  if (!histogram) return;
  for (uint64_t distance = 0; distance < analysis.histogram.limit(); ++distance) {
    uint64_t count = analysis.histogram.count(distance);
    if (count != 0) output.print("%llu %llu\n", number(distance), number(count));
  }
}

}  // namespace

int main(int argc, char** argv) {
  Program program("lrusim", argc, argv);
  Request request;
  request.histogram = program.given("histogram");
  request.trace = program.text("trace", "");
  request.write = program.text("write", "");
  request.recipe.references = program.number("references", program.small ? 20'000 : 4'000'000);
  request.recipe.pages = program.number("pages", program.small ? 1'000 : 39'000);
  request.recipe.page_bytes = program.number("page-bytes", 4096);
  request.recipe.seed = program.number("seed", 1);
  request.checked = program.number("check", 100'000);
  program.finish();
  if (!std::has_single_bit(request.recipe.page_bytes) || request.recipe.page_bytes > 1 << 30) {
    bad_input("--page-bytes: must be a power of two, at most 1G");
  }
  if (request.recipe.pages < 1 || request.recipe.pages > 1 << 30) {
    bad_input("--pages: must be from 1 to 1G");
  }
  if (request.recipe.references < request.recipe.pages) {
    bad_input("--references: must not be below --pages");
  }
  if (request.checked > 10'000'000) bad_input("--check: the naive algorithm takes too long");
  if (!request.write.empty()) {
    if (!request.trace.empty()) bad_input("--write: only what is generated");
    write_trace(request);
  }

  Analysis analysis;
  Stopwatch watch;
  analyse(request, &analysis);
  double passed = watch.lap();
  check(analysis.stack.is_consistent(), "the tree of pages is not consistent");
  check(analysis.histogram.total() == analysis.references, "the histogram misses references");
  check(analysis.histogram.count(0) == analysis.stack.pages(), "pages and first uses differ");
  print(analysis, request.histogram);
  return program.report({seconds("analyse", passed), count("references", analysis.references),
                         count("pages", analysis.stack.pages())});
}
