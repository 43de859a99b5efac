// What a process says of itself in a statistics page is a claim: anybody can write one. What cannot
// be so is refused before anything is divided by it, indexed with it or added up.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interprocess/stats_page.h"

namespace mmt::cli {

// What one image of a process left: each exec begins another.
struct ProcessPage {
  pid_t process = 0;
  std::string program;  // as the kernel names it, at most 15 bytes
  bool is_forked = false;
  bool has_exited = false;  // the values are the last ones
  std::uint64_t opened_ns = 0;
  std::uint64_t ended_ns = 0;            // 0 unless has_exited
  std::vector<std::uint64_t> values;     // in the order of kStatFields
  std::vector<std::uint64_t> inherited;  // of a fork's child, what its counters began with
  std::string told;                      // by which run; empty: none
};

// Why these values, in the order of kStatFields, cannot be so, with the figure's name; empty: they
// can. Any two figures of values without a doubt can be added.
std::string doubt_of(std::span<const std::uint64_t> values);

// Either the page or the doubt; neither where it is not written yet.
struct PageClaim {
  ProcessPage page;
  std::string doubt;
  bool is_page = false;
};

// A page file by its contents and its name, which ends in PROCESS.TIME.
PageClaim claim_of(std::string_view contents, std::string_view name);

}  // namespace mmt::cli
