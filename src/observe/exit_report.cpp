#include "observe/exit_report.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <mmt/sys/file.h>
#include <mmt/sys/thread.h>

#include "heap/object/heap.h"
#include "heap/process/opening.h"
#include "observe/page_file.h"
#include "observe/stats.h"
#include "sys/message.h"
#include "sys/standard_error.h"

extern "C" char* program_invocation_short_name;

namespace mmt::observe {
namespace {

// Wide enough for the names and for 19 digits.
constexpr size_t kNameWidth = 20;
constexpr size_t kNumberWidth = 20;
constexpr size_t kUnitWidth = 6;

// A copy: programs write over their environment (to change what ps shows).
char pattern[4096];
ReportText report;
// Not on the stack, which may be a coroutine's.
uint64_t values[kStatsPageValues];
PathText path;

bool is_stderr(const char* path) { return strcmp(path, "-") == 0 || strcmp(path, "stderr") == 0; }

bool is_folder(const char* path) { return path[0] != '\0' && path[strlen(path) - 1] == '/'; }

Process this_process() {
  Dl_info info{};
  const bool known = dladdr(reinterpret_cast<const void*>(&stats_page()), &info) != 0;
  const char* name = program_invocation_short_name;
  return {sys::current_process_id(), name == nullptr || *name == '\0' ? "unknown" : name,
          known && info.dli_fname != nullptr ? info.dli_fname : ""};
}

void complain(Heap& heap, const char* path, long error) {
  if (heap.options.quiet) return;
  sys::Message line;
  line.text("mmt: cannot write statistics to ").text(path).text(": ");
  line.text(describe_error(-error)).text(" (error ").number(static_cast<uint64_t>(-error));
  line.text(")").print();
}

}  // namespace

const char* describe_error(long error) {
  switch (error) {
    case EACCES:
      return "permission denied";
    case EPERM:
      return "operation not permitted";
    case ENOENT:
      return "no such file or directory";
    case ENOTDIR:
      return "not a directory";
    case EISDIR:
      return "is a directory";
    case EROFS:
      return "read-only file system";
    case ENOSPC:
      return "no space left on device";
    case EDQUOT:
      return "disk quota exceeded";
    case EFBIG:
      return "file too large";
    case EIO:
      return "input/output error";
    case ENAMETOOLONG:
      return "file name too long";
    case ELOOP:
      return "too many levels of symbolic links";
    case EMFILE:
      return "too many open files";
    case ENFILE:
      return "too many open files in the system";
    default:
      return "error";
  }
}

void expand_path(const char* from, const Process& process, PathText* path) {
  for (; *from != '\0'; ++from) {
    if (*from != '%') {
      path->add(*from);
      continue;
    }
    switch (from[1]) {
      case 'p':
        path->number(process.id);
        break;
      case 'e':
        for (const char* c = process.program; *c != '\0'; ++c) path->add(*c == '/' ? '_' : *c);
        break;
      case '%':
        path->add('%');
        break;
      default:
        path->add('%');
        continue;
    }
    ++from;
  }
}

bool is_json_path(const char* path) {
  const size_t size = strlen(path);
  return size >= 5 && strcmp(path + size - 5, ".json") == 0;
}

void write_text(const uint64_t* values, const Process& process, ReportText* text) {
  text->add("mmt: statistics of process ").number(process.id).add(" (");
  text->visible(process.program).add(")\n");
  for (size_t i = 0; i < static_cast<size_t>(Stat::kCount); ++i) {
    const StatField& field = kStatFields[i];
    text->add("  ").column(field.name, kNameWidth).number(values[i], kNumberWidth).add(' ');
    text->column(field.unit, kUnitWidth).add(' ').add(field.help).add('\n');
  }
}

void write_json(const uint64_t* values, const Process& process, ReportText* text) {
  text->add("{\n  \"schema\": 1,\n  \"pid\": ").number(process.id);
  text->add(",\n  \"program\": ").quoted(process.program);
  text->add(",\n  \"library\": ").quoted(process.library);
  const char* comma = "";
  text->add(",\n  \"stats\": {");
  for (size_t i = 0; i < static_cast<size_t>(Stat::kCount); ++i, comma = ",")
    text->add(comma).add("\n    ").quoted(kStatFields[i].name).add(": ").number(values[i]);
  comma = "";
  text->add("\n  },\n  \"units\": {");
  for (size_t i = 0; i < static_cast<size_t>(Stat::kCount); ++i, comma = ",")
    text->add(comma)
        .add("\n    ")
        .quoted(kStatFields[i].name)
        .add(": ")
        .quoted(kStatFields[i].unit);
  text->add("\n  }\n}\n");
}

void plan_exit_report(Heap& heap) {
  const char* path = heap::open_heap(heap) ? heap.options.stats_path : nullptr;
  if (path == nullptr) return;
  if (is_folder(path)) return keep_page_in(path);
  if (is_stderr(path)) sys::keep_standard_error();
  const size_t size = strlen(path);
  if (size < sizeof pattern)
    memcpy(pattern, path, size + 1);
  else
    complain(heap, path, -ENAMETOOLONG);
}

void write_exit_report(Heap& heap) {
  if (page_file(heap) != nullptr) finish_page(heap);
  if (pattern[0] == '\0') return;
  collect_stats(heap, values);
  const Process process = this_process();
  expand_path(pattern, process, &path);
  const char* name = path.c_str();
  if (is_json_path(name))
    write_json(values, process, &report);
  else
    write_text(values, process, &report);
  if (is_stderr(name)) {
    const int descriptor = sys::standard_error();
    if (descriptor >= 0) sys::write_all(descriptor, report.data(), report.size());
    return;
  }
  const long error =
      path.cut_off() ? -ENAMETOOLONG : sys::write_file(name, report.data(), report.size());
  if (error != 0) complain(heap, name, error);
}

}  // namespace mmt::observe
