// The end of a heap: all memory goes back, whether or not blocks are in use where the heap owns
// them.
#include <initializer_list>

#include "unit/layers/conformance/checks.h"
#include "unit/layers/conformance/trial.h"

namespace mmt::layers::conformance {
namespace {

bool always(const Composition&) { return true; }

void unused(const Composition& composition, Findings& findings, size_t one_size) {
  Trial trial(composition, findings, one_size);
  trial.end();
}

bool gives_blocks(const Composition& composition) { return !composition.terms.gives_nothing; }

void freed(const Composition& composition, Findings& findings, size_t one_size) {
  for (const Order order : {Order::kYoungestFirst, Order::kOldestFirst, Order::kRandom}) {
    Trial trial(composition, findings, one_size);
    for (size_t i = 0; i < 100; ++i) trial.take(trial.fit(i * i % 3000));
    trial.give_all(order);
    trial.end();
  }
}

bool releases_live(const Composition& composition) {
  return gives_blocks(composition) && composition.terms.releases_live;
}

void in_use(const Composition& composition, Findings& findings, size_t one_size) {
  for (const size_t freed : std::initializer_list<size_t>{0, 1, 30}) {
    Trial trial(composition, findings, one_size);
    for (size_t i = 0; i < 100; ++i) trial.take(trial.fit(i * i % 3000));
    for (size_t i = 0; i < freed && trial.blocks().count() != 0; ++i) {
      trial.give(trial.blocks().count() - 1);
    }
    trial.end();
  }
}

constexpr Check kChecks[] = {
    {"unused", unused, always},
    {"freed", freed, gives_blocks},
    {"in_use", in_use, releases_live},
};

}  // namespace

std::span<const Check> end_checks() { return kChecks; }

}  // namespace mmt::layers::conformance
