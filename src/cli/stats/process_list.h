// The processes that run under MMT.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/stats/process_facts.h"

namespace mmt::cli {

struct ListedProcess {
  pid_t process = 0;
  std::string heap;     // what it runs on; empty: not known
  std::string library;  // as the kernel names its file
  bool is_outdated = false;
  ProcessFacts facts;
  std::optional<std::uint64_t> asked_bytes;  // where there is a page that tells
  std::uint64_t most_bytes = 0;              // the same: it never asked for more
  bool is_unused = false;                    // the same: nothing asked it for a block
  std::string doubt;                         // why there are no figures of a native heap
};

struct ProcessList {
  std::vector<ListedProcess> processes;  // by id
  std::size_t hidden = 0;                // those that this user may not look into
};

ProcessList list_processes();

std::string text_of(const ProcessList& list);
std::string json_of(const ProcessList& list, int indent);

}  // namespace mmt::cli
