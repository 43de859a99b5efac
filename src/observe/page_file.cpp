#include "observe/page_file.h"

#include <sys/prctl.h>

#include <cerrno>
#include <cstring>

#include <mmt/sys/clock.h>
#include <mmt/sys/file.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

#include "core/text_buffer.h"
#include "heap/object/heap.h"
#include "heap/object/server_orders.h"

namespace mmt::observe {
namespace {

constexpr size_t kMostPath = 4095;

// A copy: programs write over their environment.
constinit char folder[kMostPath + 1]{};
// The size of what comes before "/TOLD/" in the path; 0: the folder is no run's.
constinit size_t run_size = 0;
// Set and cleared while the process has one thread, or by a fork's child.
constinit PageFile* file = nullptr;
// What the next file begins with.
constinit PageFile first{};
// Not on the stack, which may be small.
core::TextBuffer<kMostPath> path;

// Where the component of the path begins that ends before `end`.
size_t component_before(const char* path, size_t end) {
  while (end != 0 && path[end - 1] != '/') --end;
  return end;
}

void notice_run(size_t size) {
  const size_t told = component_before(folder, size - 1);
  if (told == 0 || size - 1 - told != kToldBytes) return;
  const size_t run = component_before(folder, told - 1);
  constexpr size_t kPrefix = sizeof kRunFolderPrefix - 1;
  if (told - run <= kPrefix || memcmp(folder + run, kRunFolderPrefix, kPrefix) != 0) return;
  memcpy(first.told, folder + told, kToldBytes);
  run_size = told - 1;
}

PageFile* make_file(size_t folder_size, char separator, long* error) {
  path = core::TextBuffer<kMostPath>();
  path.add(folder, folder_size).add(separator);
  path.number(first.process).add('.').number(first.opened_ns);
  if (path.cut_off()) return nullptr;
  return static_cast<PageFile*>(sys::map_new_file(path.c_str(), &first, sizeof first, error));
}

}  // namespace

void keep_page_in(const char* path) {
  const size_t size = strlen(path);
  if (size > kMostPath) return;
  memcpy(folder, path, size + 1);
  notice_run(size);
}

void open_page_file(Heap& heap, const StatsPage& page, bool inherited) {
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
  long error = 0;
  file = make_file(strlen(folder) - 1, '/', &error);
  // The process has changed its user since the run began.
  if (file == nullptr && error == -EACCES && run_size != 0) file = make_file(run_size, '.', &error);
  if (file != nullptr) heap.depot.tally().copy_peaks_to(&file->peaks);
}

PageFile* page_file(Heap& heap) {
  // To ask whose child this is might kill under a filter.
  return file != nullptr && (sys::is_quiet() || heap::at_home(heap)) ? file : nullptr;
}

bool leave_page_file_in_child(Heap& heap) {
  if (file == nullptr) return false;
  heap.depot.tally().copy_peaks_to(nullptr);
  sys::unmap_file(file, sizeof *file);
  file = nullptr;
  return true;
}

}  // namespace mmt::observe
