// The places that call the OS contract for memory: as the sources have them, and as return
// addresses show them.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "sys/fake/faults.h"

namespace mmt::out_of_memory {

const char* name_of(sys::fake::Call call);

struct CallSite {
  sys::fake::Call call;
  std::string file;  // from src/ on
  int line;
  auto operator<=>(const CallSite&) const = default;
};

std::string describe(const CallSite& site);

// All there are in src/, tests and the doubles themselves left out; those that a test build does
// not compile as well (MMT_SOURCES_LEFT_OUT).
std::vector<CallSite> call_sites_of_sources();

// The one of `known` at which `id` calls, by the debug information; its file is empty when there is
// none.
CallSite locate(sys::fake::SiteId id, const std::vector<CallSite>& known);

}  // namespace mmt::out_of_memory
