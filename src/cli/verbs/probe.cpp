// `mmt probe`, not in the help: which file serves malloc and free in this process. Prints its path,
// nothing else. `mmt bench` starts itself with it, to prove that an allocator takes over.
#include <dlfcn.h>

#include <string_view>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/verbs.h"

namespace mmt::cli {
namespace {

std::string_view file_of(const char* symbol) {
  Dl_info info;
  void* address = ::dlsym(RTLD_DEFAULT, symbol);
  if (address == nullptr || ::dladdr(address, &info) == 0) return "";
  return info.dli_fname;
}

}  // namespace

Verb add_probe(CLI::App& root) {
  CLI::App* app = root.add_subcommand("probe", "");
  app->group("");
  return {app, [](const Command&) {
            const std::string_view file = file_of("malloc");
            if (file.empty() || file != file_of("free")) {
              throw Failure(kFailed, "malloc and free come from different files");
            }
            fmt::print("{}\n", file);
            return 0;
          }};
}

}  // namespace mmt::cli
