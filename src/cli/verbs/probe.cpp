// `mmt probe` tells which file serves malloc and free in this process, and which version the file
// says it has. It prints a line each, the second empty where the file does not say.
#include <dlfcn.h>
#include <gnu/libc-version.h>

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cli/command_line/verb.h"
#include "command/failure.h"
#include "command/message.h"
#include "report/visible.h"

namespace mmt::cli {

using command::Failure;
using command::kFailed;
using command::show;
using programs::Command;

namespace {

std::string_view file_of(const char* symbol) {
  Dl_info info;
  void* address = ::dlsym(RTLD_DEFAULT, symbol);
  if (address == nullptr || ::dladdr(address, &info) == 0) return "";
  return info.dli_fname;
}

template <typename Function>
Function* find(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

// "3.1.5" of 315 or 30105, as mimalloc counts.
std::string mimalloc_version(int number) {
  const int wide = number >= 10000 ? 100 : 10;
  return fmt::format("{}.{}.{}", number / wide / wide, number / wide % wide, number % wide);
}

// Libraries say their versions in functions of their own.
std::string version_of_allocator(std::string_view file) {
  if (find<void>("mmt_stats_page") != nullptr) return MMT_VERSION;
  const char* text = nullptr;
  std::size_t size = sizeof text;
  using Control = int(const char*, void*, std::size_t*, void*, std::size_t);
  if (auto* control = find<Control>("mallctl")) {
    if (control("version", static_cast<void*>(&text), &size, nullptr, 0) == 0) {
      const std::string_view version = text;
      return std::string(version.substr(0, version.find('-')));
    }
  }
  if (auto* version = find<int()>("mi_version")) return mimalloc_version(version());
  if (auto* version = find<const char*(int*, int*, const char**)>("tc_version")) {
    return version(nullptr, nullptr, nullptr);
  }
  if (auto* version = find<const char*()>("TBB_runtime_version")) return version();
  const std::string_view name = file.substr(file.rfind('/') + 1);
  return name.starts_with("libc.so") ? gnu_get_libc_version() : "";
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
            show(fmt::format("{}\n{}\n", report::visible(file),
                             report::visible(version_of_allocator(file))));
            return 0;
          }};
}

}  // namespace mmt::cli
