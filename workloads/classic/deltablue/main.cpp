// deltablue: solves constraints incrementally (DeltaBlue). Two graphs of so many constraints: a
// chain of equalities, whose first variable is edited, and pairs that share one scale and offset.
// Every variable, constraint, and link of a list is a heap block. Checks the values that the edits
// must lead to, at both ends of the chain and of every pair.
#include <cstdint>
#include <cstdlib>

#include "base/fail.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/program.h"
#include "common/clock.h"
#include "deltablue/planner.h"

namespace {

using namespace mmt::workloads;
using namespace mmt::workloads::classic;
using namespace mmt::workloads::classic::deltablue;

constexpr uint64_t kMostConstraints = uint64_t{1} << 28;

template <typename T>
class Owned {
 public:
  explicit Owned(uint64_t most) : items_(allocate_array<T*>(most)) {}
  ~Owned() {
    while (count_ != 0) delete items_[--count_];
    std::free(items_);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  T* add(T* item) { return items_[count_++] = item; }
  T* operator[](uint64_t i) const { return items_[i]; }
  uint64_t count() const { return count_; }

 private:
  T** items_;
  uint64_t count_ = 0;
};

void must_add(Planner* planner, Constraint* constraint) {
  check(planner->add(constraint), "a required constraint cannot be satisfied");
}

// Sets a variable, `times` times in a row, by a plan.
void edit(Planner* planner, Variable* on, int64_t first, uint64_t times, const Variable* watched) {
  UnaryConstraint change(Strength::kPreferred, on, true);
  must_add(planner, &change);
  {
    Plan plan;
    planner->extract_plan(&change, &plan);
    for (uint64_t i = 0; i < times; ++i) {
      on->value = first + static_cast<int64_t>(i);
      execute(plan);
      check(watched == nullptr || watched->value == on->value, "the chain's end differs");
    }
  }
  planner->remove(&change);
}

void run_chain(uint64_t count, uint64_t edits) {
  Planner planner;
  Owned<Variable> variables(count + 1);
  Owned<Constraint> constraints(count + 1);
  for (uint64_t i = 0; i <= count; ++i) variables.add(new Variable(0));
  for (uint64_t i = 0; i < count; ++i) {
    must_add(&planner, constraints.add(new EqualityConstraint(Strength::kRequired, variables[i],
                                                              variables[i + 1])));
  }
  Variable* last = variables[count];
  must_add(&planner, constraints.add(new UnaryConstraint(Strength::kStrongDefault, last, false)));
  edit(&planner, variables[0], 1, edits, last);
  for (uint64_t i = 0; i <= count; ++i) {
    check(variables[i]->value == static_cast<int64_t>(edits), "a variable of the chain differs");
  }
}

void check_pairs(const Owned<Variable>& from, const Owned<Variable>& to, int64_t scale,
                 int64_t offset) {
  for (uint64_t i = 0; i < from.count(); ++i) {
    check(to[i]->value == from[i]->value * scale + offset, "a pair differs");
  }
}

void run_pairs(uint64_t count) {
  Planner planner;
  Variable scale(10);
  Variable offset(1000);
  Owned<Variable> from(count);
  Owned<Variable> to(count);
  Owned<Constraint> constraints(2 * count);
  for (uint64_t i = 0; i < count; ++i) {
    from.add(new Variable(static_cast<int64_t>(i)));
    to.add(new Variable(static_cast<int64_t>(i)));
    must_add(&planner, constraints.add(new UnaryConstraint(Strength::kNormal, from[i], false)));
    must_add(&planner, constraints.add(new ScaleConstraint(Strength::kRequired, from[i], &scale,
                                                           &offset, to[i])));
  }
  check_pairs(from, to, 10, 1000);
  edit(&planner, from[count - 1], 17, 1, nullptr);
  check(to[count - 1]->value == 1170, "a pair does not follow its first");
  edit(&planner, to[count - 1], 1050, 1, nullptr);
  check(from[count - 1]->value == 5, "a pair does not follow its second");
  edit(&planner, &scale, 5, 1, nullptr);
  check_pairs(from, to, 5, 1000);
  edit(&planner, &offset, 2000, 1, nullptr);
  check_pairs(from, to, 5, 2000);
}

}  // namespace

int main(int argc, char** argv) {
  Program program("deltablue", argc, argv);
  const uint64_t count = program.number("constraints", program.small ? 1000 : 1'000'000);
  const uint64_t edits = program.number("edits", 10);
  program.finish();
  if (count < 1 || count > kMostConstraints) {
    bad_input("--constraints: 1 to %zu", size_t{kMostConstraints});
  }
  if (edits < 1 || edits > 1'000'000) bad_input("--edits: 1 to 1000000");

  Stopwatch watch;
  run_chain(count, edits);
  const double chain = watch.lap();
  run_pairs(count);
  const double pairs = watch.lap();
  Output output;
  output.print("%llu constraints, two ways\n", static_cast<unsigned long long>(count));
  output.flush();

  return program.report({seconds("chain", chain), seconds("pairs", pairs)});
}
