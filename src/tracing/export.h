// Traces in forms that other programs read.
#pragma once

#include <string>
#include <vector>

namespace mmt::tracing {

// "text" and "rep" are written here, "parquet" by the laboratory. "events" and "sites" are what it
// takes for that: Event by Event as in memory; names of call sites (site_names.h), as JSON.
const std::vector<std::string>& export_formats();

// `output`: a path, or "-" for standard output. Throws std::runtime_error, also where the trace is
// damaged: what stands before that is written.
void export_trace(const std::string& format, const std::string& path, const std::string& output);

}  // namespace mmt::tracing
