#include "unit/layers/conformance/checks.h"

#include <vector>

#include "unit/layers/conformance/fault_plan.h"
#include "unit/layers/conformance/ledger.h"
#include "unit/layers/conformance/system_memory.h"

namespace mmt::layers::conformance {
namespace {

std::string run_check(const Check& check, const Composition& composition, size_t one_size) {
  Ledger::reset();
  reset_break();
  set_faults(kNoFaults);
  Findings findings;
  std::string context = composition.name + " " + check.name;
  if (composition.traits.is_one_size) context += " of size " + std::to_string(one_size);
  findings.set_context(context);
  check.run(composition, findings, one_size);
  set_faults(kNoFaults);
  const std::string complaints = Ledger::complaints();
  if (!complaints.empty()) findings.add("%s", complaints.c_str());
  return findings.text();
}

}  // namespace

std::string run_checks(const Composition& composition, const char* only) {
  std::vector<size_t> sizes = {0};
  if (composition.traits.is_one_size) sizes = {0, 24, 1000};
  std::string found;
  for (const auto& checks :
       {blocks_checks(), offers_checks(), refusal_checks(), end_checks(), thread_checks()}) {
    for (const Check& check : checks) {
      if (only != nullptr && only != std::string(check.name)) continue;
      if (!check.applies(composition)) continue;
      for (const size_t one_size : sizes) found += run_check(check, composition, one_size);
    }
  }
  Ledger::reset();
  return found;
}

}  // namespace mmt::layers::conformance
