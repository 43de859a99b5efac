// Reports of the hardened heap as lines, which it writes to stderr.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "cli/explain/heap_report.h"

namespace mmt::cli {

// Where a report begins in a line, which may go on from what the program has written; npos: none
// does. Takes lines without their ends, here and below.
std::size_t begin_of_report(std::string_view line);

// The report that begins with such a line, as yet without places; nullopt: it is no such line.
std::optional<HeapReport> report_of_first_line(std::string_view line);

// These add what a further line tells; nullopt, or false: it tells no such thing of this report.
std::optional<Role> add_place(std::string_view line, HeapReport& report);
// A frame around those of the role.
bool add_outer(std::string_view line, HeapReport& report, Role role);
bool add_times(std::string_view line, HeapReport& report);
// Whether it tells of threads, and is one of a report's last.
bool is_of_threads(std::string_view line);

}  // namespace mmt::cli
