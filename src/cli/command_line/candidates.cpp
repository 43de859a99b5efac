#include "cli/command_line/candidates.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <sstream>

#include "cli/registry/allocators.h"
#include "cli/registry/backends.h"
#include "cli/registry/heaps.h"
#include "cli/registry/named.h"
#include "cli/registry/options.h"
#include "cli/registry/protocols.h"
#include "command/in_time.h"
#include "programs/process_maps.h"
#include "sim/spec/spec.h"

namespace mmt::cli {

using command::look_in_time;
using programs::mapped_files;
using programs::MappedFile;

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// For one process to show what is mapped into it.
constexpr std::chrono::milliseconds kMostTime{500};

void add(Words& all, const Words& more) { all.insert(all.end(), more.begin(), more.end()); }

// Files and folders that `typed` may become, these with a '/'.
Words files(const std::string& typed) {
  const std::size_t slash = typed.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  Words all;
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    const std::string name = entry->path().filename().string();
    if (name.starts_with(".") && typed.size() == folder.size()) continue;
    all.push_back(folder + name + (entry->is_directory(ignored) ? "/" : ""));
  }
  return all;
}

bool is_program(const std::string& path) {
  std::error_code ignored;
  return ::access(path.c_str(), X_OK) == 0 && fs::is_regular_file(path, ignored);
}

// Programs of PATH; with a '/' in it, or when nothing has been typed, those of folders.
Words programs(const std::string& typed) {
  Words all;
  for (std::string& one : files(typed)) {
    const bool has_folder = one.find('/') != std::string::npos;
    if (one.ends_with('/') || (has_folder && is_program(one))) all.push_back(std::move(one));
  }
  if (typed.find('/') != std::string::npos) return all;
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      std::string name = entry->path().filename().string();
      if (name.starts_with(typed) && is_program(entry->path().string())) {
        all.push_back(std::move(name));
      }
    }
  }
  return all;
}

bool runs_under_mmt(const std::string& process) {
  const auto maps = mapped_files(std::atoi(process.c_str()));
  return maps && std::any_of(maps->begin(), maps->end(),
                             [](const MappedFile& file) { return file.name() == "libmmt.so"; });
}

Words processes() {
  Words all;
  Words names;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }))
      names.push_back(std::move(name));
  }
  look_in_time(
      names.size(), kMostTime,
      [&names](std::size_t item) -> std::string {
        return runs_under_mmt(names[item]) ? "yes" : "";
      },
      [&](std::size_t item, const std::optional<std::string>& seen) {
        if (seen == "yes") all.push_back(std::move(names[item]));
      });
  return all;
}

Words installed_allocators() {
  Words all;
  for (const AllocatorInfo& one : known_allocators()) {
    if (one.installed) all.push_back(one.name);
  }
  return all;
}

// Before the '=' the names of options, behind it the values of one.
Words settings(const std::string& typed) {
  const std::string name = typed.substr(0, typed.find('='));
  Words all;
  for (const OptionInfo& one : library_options()) {
    const bool is_chosen = typed.size() != name.size() && name == one.name;
    if (!is_chosen) {
      all.push_back(one.name + "=");
      continue;
    }
    for (const std::string& value : words_of(one.values)) all.push_back(name + "=" + value);
  }
  return all;
}

// "jemalloc+" is followed by a protocol.
Words allocators(const std::string& typed) {
  const std::size_t plus = typed.rfind('+');
  Words all;
  if (plus != std::string::npos) {
    for (const Named& one : known_protocols()) all.push_back(typed.substr(0, plus + 1) + one.name);
    return all;
  }
  add(all, installed_allocators());
  for (const Words& more : {names_in(known_heaps()), names_in(known_protocols())}) add(all, more);
  return all;
}

Words models() {
  Words all;
  for (const sim::NamedModel& one : sim::known_models()) all.push_back(one.name);
  return all;
}

Words backends(const std::string& typed) {
  Words all = names_in(known_backends());
  if (typed.find('/') != std::string::npos || typed.starts_with(".")) add(all, files(typed));
  return all;
}

}  // namespace

std::vector<std::string> candidates(const OptionGrammar& option, const std::string& typed) {
  using Source = std::function<Words()>;
  const std::map<std::string, Source> sources{
      {"HEAP", [] { return names_in(known_heaps()); }},
      {"BACKEND", [&] { return backends(typed); }},
      {"PROTOCOL", [] { return names_in(known_protocols()); }},
      {"ALLOCATOR", [&] { return allocators(typed); }},
      {"MODEL", [] { return models(); }},
      {"OPTION", [&] { return settings(typed); }},
      {"PID", [] { return processes(); }},
      {kProgramKind, [&] { return programs(typed); }},
      {kFileKind, [&] { return files(typed); }},
      {"FOLDER", [&] { return files(typed); }},
      {"DIR", [&] { return files(typed); }},
  };
  Words all = option.values;
  const auto source = sources.find(option.kind);
  if (source != sources.end()) add(all, source->second());
  return all;
}

}  // namespace mmt::cli
