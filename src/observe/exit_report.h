#pragma once
// Option stats=PATH: the figures of stats_page.h when the process ends, as text, or as JSON like
// that of `mmt stats --json` when the path ends in .json. A path that ends in a slash is a folder:
// see page_file.h. Nothing here allocates.
#include <cstddef>
#include <cstdint>

#include "core/text_buffer.h"

namespace mmt::heap {
struct Heap;
}  // namespace mmt::heap

namespace mmt::observe {

using heap::Heap;

inline constexpr size_t kReportBytes = 16384;
using ReportText = core::TextBuffer<kReportBytes>;
using PathText = core::TextBuffer<4095>;

struct Process {
  uint32_t id;
  const char* program;
  const char* library;  // path of libmmt.so
};

// Once, from the library's constructor, before the environment may change: keeps the option's
// value.
void plan_exit_report(Heap& heap);

// The library's destructor calls it once.
void write_exit_report(Heap& heap);

// The path that `pattern` means: %p is the process id, %e the program's name, %% a percent sign.
void expand_path(const char* pattern, const Process& process, PathText* path);
bool is_json_path(const char* path);
void write_text(const uint64_t* values, const Process& process, ReportText* text);
void write_json(const uint64_t* values, const Process& process, ReportText* text);
// What went wrong, for the errors that a file can give; "error" for others.
const char* describe_error(long error);

}  // namespace mmt::observe
