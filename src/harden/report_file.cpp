#include "harden/report_file.h"

#include <fcntl.h>

#include <mmt/sys/file.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

#include "harden/settings.h"
#include "observe/exit_report.h"
#include "observe/page_file.h"
#include "sys/message.h"

extern "C" char* program_invocation_short_name;

namespace mmt::harden {
namespace {

observe::PathText path;
bool is_told = false;

void complain(long error) {
  if (is_told) return;
  is_told = true;
  sys::Message line;
  line.text("mmt: cannot write reports to ").text(path.c_str()).text(": ");
  line.text(observe::describe_error(-error)).print();
}

}  // namespace

void append_to_report_file(const char* data, size_t bytes) {
  const char* name = program_invocation_short_name;
  path.clear();
  observe::expand_path(settings.report_path,
                       {sys::current_process_id(), name == nullptr ? "unknown" : name, ""}, &path);
  const long file = sys::raw_syscall(SYS_openat, AT_FDCWD, sys::pointer_argument(path.c_str()),
                                     O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return complain(file);
  const long error = sys::write_all(static_cast<int>(file), data, bytes);
  if (error != 0) complain(error);
  sys::raw_syscall(SYS_close, file);
}

}  // namespace mmt::harden
