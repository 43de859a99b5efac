#pragma once
// The file of reports that the option harden_report names: one JSON object a line.
#include <cstddef>

namespace mmt::harden {

// Appends to it, and makes it first. Raw calls alone; by one caller at a time.
void append_to_report_file(const char* data, size_t bytes);

}  // namespace mmt::harden
