// Choosing allocators and proving that they are loaded.
#include "cli/measure/contenders.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/first_line.h"
#include "cli/installation.h"
#include "cli/measure/bench_child.h"
#include "cli/registry/allocators.h"
#include "cli/registry/settings.h"

namespace mmt::cli {
namespace {

constexpr std::array kUsual{"mmt",      "glibc", "jemalloc", "mimalloc", "tcmalloc-minimal",
                            "tbbmalloc"};

std::string remedy(const AllocatorInfo& info) {
  if (!info.package.empty()) return fmt::format("apt-get install {}", info.package);
  return fmt::format("there is no '{}'", info.path);
}

const AllocatorInfo* find(const std::vector<AllocatorInfo>& known, std::string_view name) {
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const AllocatorInfo& one) { return one.name == name; });
  return found == known.end() ? nullptr : &*found;
}

report::BenchAllocator make(const AllocatorInfo& info) {
  return {info.name, info.path, "", "", info.name == "mmt"};
}

// "name=/path/lib.so"
report::BenchAllocator library_contender(const std::string& text, std::size_t equals) {
  const std::string path = std::filesystem::absolute(text.substr(equals + 1)).string();
  if (::access(path.c_str(), R_OK) != 0) {
    throw Failure(kUsage, fmt::format("--allocators: cannot read the library '{}'", path));
  }
  const std::string name = text.substr(0, equals);
  return {name, path, "", "", name.starts_with("mmt")};
}

report::BenchAllocator named_contender(const std::vector<AllocatorInfo>& known,
                                       const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && equals < colon) return library_contender(text, equals);
  const std::string name = text.substr(0, colon);
  const AllocatorInfo* info = find(known, name);
  if (info == nullptr) {
    throw Failure(kUsage, fmt::format("--allocators: there is no allocator '{}'; 'mmt list "
                                      "allocators' shows all",
                                      name));
  }
  if (!info->installed) {
    throw Failure(kFailed,
                  fmt::format("the allocator '{}' is not installed: {}", name, remedy(*info)));
  }
  report::BenchAllocator contender = make(*info);
  if (colon == std::string::npos) return contender;
  if (!contender.is_mmt) {
    throw Failure(kUsage, fmt::format("--allocators: '{}' takes no options", name));
  }
  contender.options = text.substr(colon + 1);
  parse_settings(contender.options, "--allocators", kUsage);
  contender.name = text;
  return contender;
}

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code error;
  return one == other || std::filesystem::equivalent(one, other, error);
}

}  // namespace

Contenders choose_contenders(const std::vector<std::string>& list) {
  const std::vector<AllocatorInfo> known = known_allocators();
  Contenders chosen;
  if (list.empty()) {
    for (const char* name : kUsual) {
      const AllocatorInfo* info = find(known, name);
      if (info->installed) {
        chosen.present.push_back(make(*info));
      } else {
        chosen.missing.push_back({info->name, remedy(*info)});
      }
    }
    return chosen;
  }
  std::set<std::string> names;
  for (const std::string& text : list) {
    chosen.present.push_back(named_contender(known, text));
    if (!names.insert(chosen.present.back().name).second) {
      throw Failure(kUsage, fmt::format("--allocators: '{}' is named twice", text));
    }
  }
  return chosen;
}

std::vector<std::string> environment_for(const report::BenchAllocator& allocator,
                                         const std::vector<std::string>& extra,
                                         const std::string& before) {
  std::vector<std::string> own = extra;
  const std::string_view separator = before.empty() || allocator.path.empty() ? "" : ":";
  const std::string preloaded = fmt::format("{}{}{}", before, separator, allocator.path);
  if (!preloaded.empty()) own.push_back("LD_PRELOAD=" + preloaded);
  for (const Setting& one : parse_settings(allocator.options, "options", kUsage)) {
    own.push_back(variable_of(one.name) + "=" + one.value);
  }
  const auto name_of = [](std::string_view text) { return text.substr(0, text.find('=')); };
  std::vector<std::string> out;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view name = name_of(*one);
    const bool dropped = name == "LD_PRELOAD" || (!allocator.is_mmt && name.starts_with("MMT_")) ||
                         std::any_of(own.begin(), own.end(), [&](const std::string& mine) {
                           return name_of(mine) == name;
                         });
    if (!dropped) out.emplace_back(*one);
  }
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

void prove_loaded(report::BenchAllocator& allocator, const std::string& temporary_folder) {
  ChildSpec spec;
  spec.path = own_path();
  spec.arguments = {"mmt", "probe"};
  spec.environment = environment_for(allocator, {});
  spec.output = temporary_folder + "/probe.out";
  spec.errors = temporary_folder + "/probe.err";
  const ChildResult result = run_child(spec);
  allocator.malloc_from = first_line(spec.output);
  const bool right =
      allocator.path.empty()
          ? std::filesystem::path(allocator.malloc_from).filename().string().starts_with("libc.so")
          : is_same_file(allocator.malloc_from, allocator.path);
  if (result.status == 0 && right) return;
  const std::string detail = first_line(spec.errors);
  throw Failure(
      kFailed,
      fmt::format("the allocator '{}' does not take over: malloc comes from '{}'{}", allocator.name,
                  allocator.malloc_from, detail.empty() ? "" : fmt::format(" ({})", detail)));
}

std::string disagreement(const report::BenchAllocator& allocator,
                         const std::vector<MappedFile>& files) {
  if (files.empty()) return "the files mapped into it could not be seen";
  if (!allocator.path.empty()) {
    const bool loaded = std::any_of(files.begin(), files.end(), [&](const MappedFile& file) {
      return is_same_file(file.path, allocator.path);
    });
    return loaded ? "" : fmt::format("'{}' was not loaded into it", allocator.path);
  }
  for (const MappedFile& file : files) {
    if (is_allocator_library(file.name())) {
      return fmt::format("it loads '{}', so it does not run on the C library's allocator",
                         file.path);
    }
  }
  return "";
}

}  // namespace mmt::cli
