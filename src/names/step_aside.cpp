// A program with a sanitizer's malloc cannot have ours before it, nor memory of ours where it has
// its shadows. AddressSanitizer would refuse to run, ThreadSanitizer crash, and LeakSanitizer find
// nothing. Each such process is replaced by itself without the library, wherever in a tree of
// processes it is started.
//
// That is done while this library is relocated, as the address of a function is asked for. It comes
// before any constructor, also those that a sanitizer puts before all others. At that time libc is
// not initialised, and its functions may be the sanitizer's. So the code uses nothing but system
// calls, and data of the loader.
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/core/visible.h>
#include <mmt/sys/syscall.h>

#include "core/text.h"
#include "interprocess/sanitizers.h"
#include "names/inherited.h"
#include "sys/message.h"
#include "sys/symbol_table.h"

// Where the kernel has put arguments, environment and auxiliary vector.
extern "C" void* __libc_stack_end;

namespace mmt::names {
namespace {

using core::file_name;
using core::next_piece;
using core::Text;
using core::text;
using core::whole;

constexpr size_t kPathSize = 4096;
constexpr char kExecutable[] = "/proc/self/exe";
constexpr char kCommandLine[] = "/proc/self/cmdline";
// The kernel takes no more, environment included.
constexpr size_t kMostOfCommandLine = size_t{6} << 20;

struct InitialStack {
  char** arguments;
  char** environment;
  const ElfW(auxv_t) * auxiliary;

  uint64_t value(uint64_t type) const {
    for (const ElfW(auxv_t)* one = auxiliary; one->a_type != AT_NULL; ++one)
      if (one->a_type == type) return one->a_un.a_val;
    return 0;
  }
};

InitialStack initial_stack() {
  auto* count = static_cast<long*>(__libc_stack_end);
  InitialStack stack{};
  stack.arguments = reinterpret_cast<char**>(count + 1);
  stack.environment = stack.arguments + *count + 1;
  char** end = stack.environment;
  while (*end != nullptr) ++end;
  stack.auxiliary = reinterpret_cast<const ElfW(auxv_t)*>(end + 1);
  return stack;
}

// Where this library lies, when it was preloaded; else nullptr. What is preloaded comes before the
// loader itself, what is opened later behind it.
const char* preloaded_path() {
  for (const link_map* one = _r_debug.r_map; one != nullptr; one = one->l_next) {
    if (one->l_addr == _r_debug.r_ldbase) break;
    if (one->l_ld == _DYNAMIC) return one->l_name;
  }
  return nullptr;
}

// The first of the libraries that is a sanitizer's; nullptr: none.
const char* sanitizer_library() {
  for (const link_map* one = _r_debug.r_map; one != nullptr; one = one->l_next)
    if (sanitizer_of(whole(one->l_name)) != nullptr) return one->l_name;
  return nullptr;
}

// The program is the first that is loaded.
bool has_sanitizer_linked_in() {
  const link_map* program = _r_debug.r_map;
  if (program == nullptr) return false;
  const sys::SymbolTable names(program->l_addr, program->l_ld);
  return names.find("malloc") != nullptr && names.asks_for(kAskedForBySanitizers);
}

bool is_on(Text value) {
  return value.is(text("on")) || value.is(text("1")) || value.is(text("true")) ||
         value.is(text("yes"));
}

// As options.h has it: a variable of its own goes before MMT_OPTIONS.
bool is_quiet(char** environment) {
  constexpr Text kQuiet = text("MMT_QUIET=");
  constexpr Text kOptions = text("MMT_OPTIONS=");
  constexpr Text kField = text("quiet=");
  bool quiet = false;
  for (; *environment != nullptr; ++environment) {
    const Text variable = whole(*environment);
    if (variable.starts_with(kQuiet)) return is_on(variable.from(kQuiet.size));
    if (!variable.starts_with(kOptions)) continue;
    for (Text rest = variable.from(kOptions.size); rest.size != 0;) {
      const Text field = next_piece(&rest, ':', ':');
      if (field.starts_with(kField)) quiet = is_on(field.from(kField.size));
    }
  }
  return quiet;
}

// `library` is the sanitizer's; nullptr: it is linked in.
void say(const char* program, const char* library) {
  sys::Message line;
  const auto add = [&line](Text more) { line.text(more.data, more.size); };
  add(text("mmt: cannot serve '"));
  add(whole(program));
  add(text("': it "));
  if (library == nullptr) {
    add(text("has a sanitizer linked in"));
  } else {
    const Text name = file_name(whole(library));
    add(text("needs "));
    add(name);
    add(text(", "));
    add(whole(sanitizer_of(name)->name));
    add(text("'s"));
  }
  add(text(", which brings a malloc of its own; running it without"));
  line.print_anyway();
}

bool identify(const char* path, struct stat* status) {
  return sys::raw_syscall(SYS_newfstatat, AT_FDCWD, sys::pointer_argument(path),
                          sys::pointer_argument(status), 0) == 0;
}

// The file that this process runs, by the name that it was started with. The kernel calls the file
// by that name. A script was started by its own name. `buffer` is of kPathSize. nullptr: not known.
const char* executable_path(const InitialStack& stack, char* buffer) {
  struct stat own;
  if (!identify(kExecutable, &own)) return nullptr;
  const auto is_own = [&own](const char* path) {
    struct stat other;
    return identify(path, &other) && other.st_dev == own.st_dev && other.st_ino == own.st_ino;
  };
  const auto* started = reinterpret_cast<const char*>(stack.value(AT_EXECFN));
  if (started != nullptr && is_own(started)) return started;
  const long size = sys::raw_syscall(SYS_readlinkat, AT_FDCWD, sys::pointer_argument(kExecutable),
                                     sys::pointer_argument(buffer), kPathSize - 1);
  if (size <= 0) return nullptr;
  buffer[size] = '\0';
  // A file without a name can still be run.
  return is_own(buffer) ? buffer : kExecutable;
}

char* map_memory(size_t bytes) {
  const long at = sys::raw_syscall(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at < 0 && at > -4096 ? nullptr : reinterpret_cast<char*>(at);
}

// All words that the kernel was given, also those that a loader which was started as a command has
// taken for itself. nullptr: not known.
char** command_line() {
  const long file = sys::raw_syscall(SYS_openat, AT_FDCWD, sys::pointer_argument(kCommandLine),
                                     O_RDONLY | O_CLOEXEC);
  char* const text = file < 0 ? nullptr : map_memory(kMostOfCommandLine);
  if (text == nullptr) return nullptr;
  size_t size = 0;
  long more = 0;
  do {
    size += static_cast<size_t>(more);
    more = sys::raw_syscall(SYS_read, file, sys::pointer_argument(text + size),
                            static_cast<long>(kMostOfCommandLine - size));
  } while (more > 0);
  sys::raw_syscall(SYS_close, file);
  auto** const words = reinterpret_cast<char**>(map_memory((size + 1) * sizeof(char*)));
  if (words == nullptr) return nullptr;
  char** next = words;
  for (char* word = text; word < text + size; word += whole(word).size + 1) *next++ = word;
  return words;
}

// Becomes the same program without the library; returns where that cannot be done.
MMT_COLD void start_without(const InitialStack& stack, const char* own_path, const char* library) {
  if (stack.value(AT_SECURE) != 0) return;
  // A loader that was started as a command is the process's file.
  const bool is_loader = stack.value(AT_BASE) == 0;
  char** const arguments = is_loader ? command_line() : stack.arguments;
  if (arguments == nullptr) return;
  char buffer[kPathSize];
  const char* path = executable_path(stack, buffer);
  const bool quiet = is_quiet(stack.environment);
  // Not named there, as in /etc/ld.so.preload: it would be loaded again.
  if (path == nullptr || !remove_library(stack.environment, own_path)) return;
  if (!quiet) say(path, library);
  sys::raw_syscall(SYS_execve, sys::pointer_argument(path), sys::pointer_argument(arguments),
                   sys::pointer_argument(stack.environment));
}

void step_aside_if_due() {
  const char* own_path = preloaded_path();
  if (own_path == nullptr || __libc_stack_end == nullptr) return;
  const char* library = sanitizer_library();
  if (library != nullptr || has_sanitizer_linked_in())
    start_without(initial_stack(), own_path, library);
}

}  // namespace
}  // namespace mmt::names

extern "C" {

static void nothing() {}

// What the loader calls for the address of the function below.
__attribute__((visibility("hidden"), used)) void (*mmt_resolve_at_relocation())() {
  mmt::names::step_aside_if_due();
  return nothing;
}

__attribute__((visibility("hidden"), ifunc("mmt_resolve_at_relocation"))) void mmt_at_relocation();
}

// Somebody has to ask for it; the linker takes that for unused.
__attribute__((used, retain)) static void (*const volatile asked_for)() = mmt_at_relocation;
