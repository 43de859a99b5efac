// Reports of the hardened heap as SARIF 2.1.0, which code hosts and editors show at the lines.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "cli/explain/heap_report.h"

namespace mmt::cli {

nlohmann::ordered_json sarif_of(const std::vector<HeapReport>& reports);

}  // namespace mmt::cli
