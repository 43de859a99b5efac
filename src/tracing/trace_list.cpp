#include "tracing/trace_list.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "command/json_input.h"
#include "tracefile/memory_bound.h"

namespace mmt::tracing {

using command::json_of;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The length of a list of a hundred thousand processes, with their command lines.
constexpr std::size_t kLongestList = std::size_t{64} << 20;
// What JSON takes in memory, for each byte of its text: "[],".
constexpr std::size_t kMemoryOfText = 48;

[[noreturn]] void cannot_read(const std::string& path, int error) {
  throw std::runtime_error(fmt::format("cannot read '{}': {}", path, std::strerror(error)));
}

std::string text_of_list(const std::string& path) {
  tracefile::NowReading::at(path);
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) cannot_read(path, error.value());
  if (size > kLongestList) {
    throw std::runtime_error(fmt::format("'{}' has more than 64 MiB, as no list of traces", path));
  }
  // Taking JSON apart allocates, too, and may not fail.
  tracefile::MemoryBound::look(kMemoryOfText * size);
  std::string text(size, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) cannot_read(path, errno);
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// One entry of a list: "'all.mtr', processes[2]".
class Entry {
 public:
  Entry(const std::string& path, const char* kind, std::size_t number, const Json& json)
      : path_(path), kind_(kind), number_(number), json_(json) {
    if (!json.is_object()) fail("it is no object");
  }

  // A text that may be missing unless it `must` be there.
  std::string text(const char* key, bool must) const {
    const auto found = json_.find(key);
    if (found == json_.end() && must) fail(fmt::format("it has no '{}'", key));
    if (found == json_.end()) return "";
    if (!found->is_string()) fail(fmt::format("its '{}' is no text", key));
    return found->get<std::string>();
  }

  std::string file() const {
    const std::string readable = text("file", true);
    const std::string digits = text(kFileBytes, false);
    if (digits.empty()) return readable;
    std::string name;
    for (std::size_t at = 0; at < digits.size(); at += 2) {
      unsigned byte = 0;
      const char* const end = digits.data() + std::min(at + 2, digits.size());
      const char* const last = std::from_chars(digits.data() + at, end, byte, 16).ptr;
      if (last != end || digits.size() % 2 != 0) {
        fail(fmt::format("its '{}' are no bytes", kFileBytes));
      }
      name += static_cast<char>(byte);
    }
    return name;
  }

  // A list that came from elsewhere names no other files of this machine.
  std::string path_in_folder() const {
    const std::string name = file();
    const fs::path one(name);
    const bool has_parent = std::find(one.begin(), one.end(), "..") != one.end();
    const bool is_name = !name.empty() && name.find('\0') == std::string::npos;
    if (!is_name || one.is_absolute() || has_parent) leaves(name);
    const fs::path parent = fs::path(path_).parent_path();
    std::error_code error;
    const fs::path folder = fs::canonical(parent.empty() ? "." : parent, error);
    if (error) cannot_read(path_, error.value());
    const fs::path real = fs::weakly_canonical(folder / one, error);
    const auto differs = std::mismatch(folder.begin(), folder.end(), real.begin(), real.end());
    // Where a link leads to itself, the reader says what is wrong.
    if (!error && differs.first != folder.end()) leaves(name);
    return (parent / one).string();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("'{}', {}[{}]: {}", path_, kind_, number_, what));
  }
  [[noreturn]] void leaves(const std::string& name) const {
    fail(fmt::format("its file '{}' is none of the list's folder", name.c_str()));
  }

  const std::string& path_;
  const char* kind_;
  std::size_t number_;
  const Json& json_;
};

const Json& entries_of(const Json& list, const char* kind, bool must, const std::string& path) {
  static const Json none = Json::array();
  const auto found = list.find(kind);
  if (found == list.end() && !must) return none;
  if (found != list.end() && found->is_array()) return *found;
  throw std::runtime_error(
      fmt::format("'{}' is no list of traces: it has no list '{}'", path, kind));
}

void check_version(const Json& list, const std::string& path) {
  const auto found = list.find("mmt_trace_processes");
  if (found == list.end()) {
    throw std::runtime_error(
        fmt::format("'{}' is no list of traces: it has no 'mmt_trace_processes'", path));
  }
  if (*found == kListVersion) return;
  const std::string version = found->dump(-1, ' ', false, Json::error_handler_t::replace);
  throw std::runtime_error(fmt::format("'{}' is a list of traces of the unknown version {}", path,
                                       version.substr(0, 40)));
}

}  // namespace

std::vector<ListedTrace> traces_of(const std::string& path) {
  // A look at a pipe would take what is in it.
  std::error_code ignored;
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
    throw std::runtime_error(fmt::format("'{}' is no regular file, as a trace must be", path));
  }
  if (std::ifstream(path).peek() != '{') return {{path, ""}};
  const Json list = json_of(text_of_list(path), path);
  check_version(list, path);
  std::vector<ListedTrace> traces;
  for (const char* const kind : {"processes", "failed"}) {
    const bool has_failed = kind == std::string("failed");
    std::size_t number = 0;
    for (const Json& json : entries_of(list, kind, !has_failed, path)) {
      const Entry one(path, kind, number++, json);
      std::string error = has_failed ? one.text("error", false) : "";
      if (has_failed && error.empty()) error = "no reason is told";
      traces.push_back({one.path_in_folder(), error});
    }
  }
  return traces;
}

}  // namespace mmt::tracing
