#include "cli/registry/allocator_spec.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "cli/registry/allocators.h"
#include "cli/registry/backends.h"
#include "cli/registry/heaps.h"
#include "cli/registry/named.h"
#include "cli/registry/protocols.h"
#include "cli/registry/settings.h"
#include "command/failure.h"
#include "programs/elf.h"
#include "programs/installation.h"
#include "programs/malloc_library.h"

namespace mmt::cli {

using command::did_you_mean;
using command::Failure;
using programs::AllocatorChoice;
using programs::ElfFile;
using programs::expected_guarding_path;
using programs::expected_hardened_path;
using programs::expected_library_path;
using programs::fault_of_malloc_library;
using programs::guarding_path;
using programs::hardened_path;
using programs::library_path;

namespace {

constexpr const char* kLibc = "glibc";
constexpr const char* kMmt = "mmt";

// A name, and what stands behind its ':'.
struct Word {
  std::string name;
  std::optional<std::string> options;
};

Word word_of(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {text, std::nullopt};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

bool is_path(const std::string& text) { return text.find('/') != std::string::npos; }

// All names of the grammar, for suggestions.
std::vector<std::string> all_names() {
  std::vector<std::string> names{kMmt};
  for (const auto& more :
       {names_in(known_heaps()), names_in(known_allocators()), names_in(known_protocols())}) {
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

AllocatorChoice on_library(const std::string& path, int status) {
  const std::string whole = std::filesystem::absolute(path).string();
  const std::string fault = fault_of_malloc_library(whole);
  if (!fault.empty()) {
    throw Failure(status, fmt::format("cannot use the library '{}': {}", whole, fault));
  }
  AllocatorChoice choice;
  choice.libraries = {whole};
  choice.is_ours = is_own_library(whole);
  const auto file = ElfFile::open(whole);
  choice.is_native = file && file->defines("mmt_stats_page");
  return choice;
}

// Options of the native heap may be separated as those of protocols are.
std::string as_list(std::string text) {
  std::replace(text.begin(), text.end(), ',', ':');
  return text;
}

// A library that is not there is no error of the word that names it.
AllocatorChoice native_heap_or_missing(NativeHeap kind, int status) {
  const std::string path = kind == NativeHeap::kHardened   ? expected_hardened_path()
                           : kind == NativeHeap::kGuarding ? expected_guarding_path()
                                                           : expected_library_path();
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return on_native_heap(kind, status);
  AllocatorChoice choice;
  choice.missing = fmt::format("there is no '{}'{}", path, programs::remedy_for(path));
  choice.is_ours = choice.is_native = true;
  return choice;
}

AllocatorChoice on_native_heap_with(const std::string& options, int status) {
  const std::string list = as_list(options);
  const std::vector<Setting> settings = parse_settings(list, "options of mmt", status);
  AllocatorChoice choice = native_heap_or_missing(native_heap_of(settings, status), status);
  choice.options = list;
  for (const Setting& one : settings) {
    choice.environment.emplace_back(variable_of(one.name), one.value);
  }
  return choice;
}

AllocatorChoice in_line(const Word& word, int status) {
  const std::string& name = word.name;
  if (name == kMmt || name == kNativeHeap) {
    return on_native_heap_with(word.options.value_or(""), status);
  }
  const std::string whole = word.options ? name + ":" + *word.options : name;
  if (is_layered_heap(whole)) return on_heap(whole, status);
  if (is_protocol(name)) {
    const std::string options = word.options ? ":" + *word.options : "";
    return behind_protocol(kLibc, name + options, status);
  }
  refuse_model(whole, status);
  if (word.options) {
    throw Failure(status, fmt::format("'{}' takes no options", name));
  }
  if (is_path(name)) return on_library(name, status);
  for (const AllocatorInfo& one : known_allocators()) {
    if (one.name != name) continue;
    AllocatorChoice choice;
    if (!one.installed) {
      choice.missing = fmt::format("apt-get install {}", one.package);
    } else if (!one.path.empty()) {
      choice.libraries = {one.path};
    }
    return choice;
  }
  throw Failure(status, fmt::format("there is no allocator '{}'{}", name,
                                    did_you_mean(name, all_names()).empty()
                                        ? "; see 'mmt list allocators' and 'mmt list heaps'"
                                        : did_you_mean(name, all_names())));
}

std::string missing_backend(const std::string& name) {
  for (const AllocatorInfo& one : known_allocators()) {
    if (one.name == name && !one.installed) {
      return fmt::format("apt-get install {}", one.package);
    }
  }
  return "";
}

// A path may have any of the signs. A protocol follows the '+' behind which one is named. It also
// follows a '+' behind which nothing else can be meant, as a file ends there.
AllocatorChoice on_path(const std::string& spec, int status) {
  const auto is_file = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
  };
  for (std::size_t plus = spec.rfind('+'); !is_file(spec) && plus != std::string::npos && plus != 0;
       plus = spec.rfind('+', plus - 1)) {
    const std::string path = spec.substr(0, plus);
    const std::string protocol = spec.substr(plus + 1);
    if (is_protocol(word_of(protocol).name) || is_file(path)) {
      return behind_protocol(path, protocol, status);
    }
  }
  return in_line({spec, std::nullopt}, status);
}

AllocatorChoice resolve(const std::string& spec, int status) {
  const std::size_t sign = spec.find_first_of("/:");
  if (sign != std::string::npos && spec[sign] == '/') return on_path(spec, status);
  const std::size_t plus = spec.find('+');
  const std::size_t colon = spec.find(':');
  const std::string backend = spec.substr(0, plus);
  // A heap may have options of its own in its name.
  const bool is_behind = plus != std::string::npos && (plus < colon || is_layered_heap(backend));
  if (!is_behind) return in_line(word_of(spec), status);
  const std::string protocol = spec.substr(plus + 1);
  if (const std::string missing = missing_backend(backend); !missing.empty()) {
    parse_protocol(protocol, status);
    AllocatorChoice choice;
    choice.missing = missing;
    choice.is_ours = true;
    return choice;
  }
  return behind_protocol(backend, protocol, status);
}

}  // namespace

AllocatorChoice on_native_heap(int status) {
  AllocatorChoice choice;
  choice.libraries = {library_path(status)};
  choice.is_ours = choice.is_native = true;
  return choice;
}

AllocatorChoice on_hardened_heap(int status) {
  AllocatorChoice choice;
  choice.libraries = {hardened_path(status)};
  choice.is_ours = choice.is_native = true;
  return choice;
}

AllocatorChoice on_guarding_heap(int status) {
  AllocatorChoice choice;
  choice.libraries = {guarding_path(status)};
  choice.is_ours = choice.is_native = true;
  return choice;
}

NativeHeap native_heap_of(const std::vector<Setting>& settings, int status) {
  const std::string preset = resolved_value("harden", settings);
  const std::string rate = resolved_value("guard", settings);
  const bool is_hardened = !preset.empty() && preset != "off";
  const bool is_guarding = rate.find_first_not_of("+-0") != std::string::npos;
  if (is_hardened && is_guarding) {
    throw Failure(status,
                  "the hardened heap looks at each block, and has no guarded places: give one of "
                  "harden and guard");
  }
  return is_hardened   ? NativeHeap::kHardened
         : is_guarding ? NativeHeap::kGuarding
                       : NativeHeap::kPlain;
}

AllocatorChoice on_native_heap(NativeHeap kind, int status) {
  switch (kind) {
    case NativeHeap::kHardened:
      return on_hardened_heap(status);
    case NativeHeap::kGuarding:
      return on_guarding_heap(status);
    case NativeHeap::kPlain:
      break;
  }
  return on_native_heap(status);
}

AllocatorChoice on_heap(const std::string& heap, int status) {
  AllocatorChoice choice;
  choice.libraries = {heap_library_path(heap, status)};
  choice.is_ours = true;
  return choice;
}

AllocatorChoice behind_protocol(const std::string& backend, const std::string& protocol,
                                int status) {
  const Protocol parsed = parse_protocol(protocol, status);
  if (backend == kNativeHeap || backend == kMmt) {
    if (parsed.name != kOwnProtocol) {
      throw Failure(status, fmt::format("the native heap has its own protocol: put another "
                                        "allocator behind '{}', such as glibc",
                                        parsed.name));
    }
    if (!parsed.options.empty()) {
      throw Failure(status, fmt::format("'{}': the native heap has options of its own, see "
                                        "'mmt list options'",
                                        protocol));
    }
    return on_native_heap(status);
  }
  AllocatorChoice choice;
  const std::string behind = backend_library_path(backend, status);
  choice.libraries = {protocol_library_path(parsed.name, status)};
  if (!behind.empty()) choice.libraries.push_back(behind);
  if (!parsed.options.empty()) {
    choice.environment.emplace_back("MMT_PROTOCOL_OPTIONS", parsed.options);
  }
  choice.is_ours = true;
  return choice;
}

AllocatorChoice resolve_allocator(const std::string& spec, int status) {
  const std::size_t equals = spec.find('=');
  const bool has_own_name =
      equals != std::string::npos && equals != 0 && spec.find_first_of("/:+") > equals;
  AllocatorChoice choice = resolve(has_own_name ? spec.substr(equals + 1) : spec, status);
  choice.name = has_own_name ? spec.substr(0, equals) : spec;
  return choice;
}

}  // namespace mmt::cli
