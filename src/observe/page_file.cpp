#include "observe/page_file.h"

#include <sys/prctl.h>

#include <cstring>

#include <mmt/sys/clock.h>
#include <mmt/sys/file.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

#include "observe/text.h"
#include "offload/runtime.h"
#include "offload/server_thread.h"

namespace mmt::observe {
namespace {

constexpr size_t kMostPath = 4095;

// A copy: programs write over their environment.
constinit char folder[kMostPath + 1]{};
// Set and cleared while the process has one thread, or by a fork's child.
constinit PageFile* file = nullptr;
// What the next file begins with.
constinit PageFile first{};
// Not on the stack, which may be small.
Text<kMostPath> path;

}  // namespace

void keep_page_in(const char* path) {
  const size_t size = strlen(path);
  if (size <= kMostPath) memcpy(folder, path, size + 1);
}

void open_page_file(const StatsPage& page, bool inherited) {
  // A filter of system calls might kill the child for these.
  if (folder[0] == '\0' || (inherited && sys::is_quiet())) return;
  const uint64_t now = sys::is_counter_forbidden() ? sys::coarse_ns() : sys::monotonic_ns();
  first.page = page;
  first.process = sys::current_process_id();
  first.parent = static_cast<uint32_t>(sys::raw_syscall(SYS_getppid));
  first.opened_ns = now;
  if (inherited)
    memcpy(first.inherited, page.values, sizeof first.inherited);
  else  // libc does not know the program's name yet
    sys::raw_syscall(SYS_prctl, PR_GET_NAME, sys::pointer_argument(first.program));
  path = Text<kMostPath>();
  path.add(folder).number(first.process).add('.').number(now);
  if (!path.cut_off())
    file = static_cast<PageFile*>(sys::map_new_file(path.c_str(), &first, sizeof first));
  if (file != nullptr) offload::runtime.depot.copy_peaks_to(&file->peaks);
}

PageFile* page_file() {
  // To ask whose child this is might kill under a filter.
  return file != nullptr && (sys::is_quiet() || offload::at_home()) ? file : nullptr;
}

bool leave_page_file_in_child() {
  if (file == nullptr) return false;
  offload::runtime.depot.copy_peaks_to(nullptr);
  sys::unmap_file(file, sizeof *file);
  file = nullptr;
  return true;
}

}  // namespace mmt::observe
