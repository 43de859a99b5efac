// Reports of the hardened heap as lines of JSON, which it writes by option harden_report, and as
// `mmt explain --json` prints them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "cli/explain/heap_report.h"

namespace mmt::cli {

// Whether the line is meant for a report's.
bool begins_as_json(std::string_view line);

// Throws std::runtime_error that names the file, the line and what is wrong there.
HeapReport report_of_json(const std::string& line, const std::string& path, std::size_t number);

// With what is known of the places.
nlohmann::ordered_json json_of(const HeapReport& report);

}  // namespace mmt::cli
