// The `.rep` text of malloc labs: four numbers (suggested heap size, objects, operations, weight),
// then "a id bytes", "r id bytes" or "f id" a line.
#pragma once

#include <string>
#include <vector>

#include "tracefile/event.h"

namespace mmt::sim {

// Throws std::runtime_error that names the file, the line and what is wrong there.
std::vector<tracefile::Event> read_rep(const std::string& path);

}  // namespace mmt::sim
