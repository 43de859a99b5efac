// perimeter: draws a ring as a quadtree, a malloc a node, and computes its perimeter by finding the
// neighbours of each black square (Olden). Checks it against a walk along the image's rows, without
// a tree.
#include <cstdint>

#include "base/fail.h"
#include "base/output.h"
#include "base/program.h"
#include "common/clock.h"
#include "perimeter/quad_tree.h"
#include "perimeter/ring.h"

namespace {

using namespace mmt::workloads;
using namespace mmt::workloads::classic;
using namespace mmt::workloads::classic::perimeter;

constexpr uint64_t kMostLevels = 24;  // beyond it squares of distances are still exact

// A row's part of the ring left of the middle: pixels [from, to). The right is its mirror image.
struct Run {
  int64_t from;
  int64_t to;
};

// Rows are visited from the first to the middle one: from wanders left and to wanders right, then
// left where the hole begins.
Run run_of(const Ring& ring, int64_t y, Run last) {
  const int64_t middle = ring.width() / 2;
  Run run = last;
  while (run.from > 0 && ring.has(run.from - 1, y)) --run.from;
  while (run.from < middle && !ring.has(run.from, y)) ++run.from;
  run.to = run.to < run.from ? run.from : run.to;
  while (run.to < middle && ring.has(run.to, y)) ++run.to;
  while (run.to > run.from && !ring.has(run.to - 1, y)) --run.to;
  return run;
}

int64_t absolute(int64_t value) { return value < 0 ? -value : value; }

// Above and below the middle are alike, and so are left and right.
int64_t perimeter_by_rows(const Ring& ring) {
  const int64_t middle = ring.width() / 2;
  Run last = {middle, middle};
  int64_t sum = 0;
  for (int64_t y = 0; y < middle; ++y) {
    const Run run = run_of(ring, y, last);
    const bool has_hole = run.to < middle;
    if (run.from < run.to) sum += has_hole ? 2 : 1;  // the row's own ends
    // Where this row and the one above it differ.
    const bool is_apart = run.to <= last.from || last.to <= run.from;
    sum += is_apart ? run.to - run.from + last.to - last.from
                    : absolute(run.from - last.from) + absolute(run.to - last.to);
    last = run;
  }
  return 4 * sum;
}

}  // namespace

int main(int argc, char** argv) {
  Program program("perimeter", argc, argv);
  const bool frees = program.frees();
  const uint64_t levels = program.number("levels", program.small ? 8 : 18);
  const uint64_t walks = program.number("walks", 1);
  program.finish();
  if (levels < 3 || levels > kMostLevels) bad_input("--levels: 3 to %zu", size_t{kMostLevels});
  if (walks < 1) bad_input("--walks: at least one");

  const Ring ring(int64_t{1} << levels);
  Stopwatch watch;
  Node* image = draw(ring, 0, 0, ring.width(), kNone, nullptr);
  const double drawn = watch.lap();
  int64_t found = 0;
  for (uint64_t i = 0; i < walks; ++i) found += perimeter_of(image, ring.width());
  const double measured = watch.lap();
  const int64_t nodes = count_nodes(image);
  watch.lap();
  if (frees) destroy(image);
  const double freed = watch.lap();
  check(found == static_cast<int64_t>(walks) * perimeter_by_rows(ring), "another perimeter");
  Output output;
  output.print("perimeter %lld, %lld nodes\n",
               static_cast<long long>(found / static_cast<int64_t>(walks)),
               static_cast<long long>(nodes));
  output.flush();

  return program.report(
      {seconds("draw", drawn), seconds("measure", measured), seconds("free", freed)});
}
