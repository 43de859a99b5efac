// The conformance suite of heap layers checks what must hold for every legal composition. Each
// check is a function on a composition. The function run_checks() runs all that apply, each on
// heaps of its own, and returns what was found, nothing if all is well.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "unit/layers/conformance/findings.h"
#include "unit/layers/conformance/subject.h"

namespace mmt::layers::conformance {

struct Check {
  const char* name;
  // one_size: of all requests, where the heap wants that.
  void (*run)(const Composition& composition, Findings& findings, size_t one_size);
  bool (*applies)(const Composition& composition);
};

std::span<const Check> blocks_checks();
std::span<const Check> offers_checks();
std::span<const Check> refusal_checks();
std::span<const Check> end_checks();
std::span<const Check> thread_checks();

// `only`: the check of that name; null: all.
std::string run_checks(const Composition& composition, const char* only = nullptr);

}  // namespace mmt::layers::conformance
