// Tells as text what can be told of one process that runs, with nothing of it believed. A child
// takes the look at a process (command/in_time.h), since a process can keep its reader waiting.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/stats/process_facts.h"

namespace mmt::cli {

struct Glance {
  std::string failure;  // why there are no figures; empty: there are, or the process has ended
  std::string program;
  std::string library;
  std::string heap;  // what it runs on; empty: not on MMT
  bool is_native = false;
  bool is_outdated = false;           // its library was replaced since
  bool is_late = false;               // it kept the onlooker waiting: nothing else is known
  bool is_hidden = false;             // this user may not look into it
  std::vector<std::uint64_t> values;  // in the order of kStatFields
  ProcessFacts facts;
};

// The figures of one that is known to run under MMT. `failure` where it does not.
Glance glance_at(pid_t process);

// The same of one that was looked at before: between two programs it is waited for.
Glance followed(pid_t process);

// Glances at any process: there are figures only where it is on the native heap.
Glance glance_at_any(pid_t process);

// A child's answer, and back. nullopt, or what is none, gives one that is late.
std::string text_of(const Glance& glance);
Glance glance_of(const std::optional<std::string>& text);

}  // namespace mmt::cli
