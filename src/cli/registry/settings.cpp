// Parsing and checking of library options.
#include "cli/registry/settings.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/registry/named.h"
#include "cli/registry/options.h"
#include "cli/stats/page_folder.h"
#include "offload/options.h"

namespace mmt::cli {
namespace {

// Variables of the command line tool, the protocols, the workloads and make are no options of the
// library.
bool is_option_variable(std::string_view name) {
  constexpr std::array<std::string_view, 5> kOthers{"OPTIONS", "LIBRARY", "PRELOADED",
                                                    "PROTOCOL_OPTIONS", "INSTALL"};
  return std::find(kOthers.begin(), kOthers.end(), name) == kOthers.end() &&
         !name.starts_with("BENCH") && name != "LAB" && !name.starts_with("LAB_");
}

// "auto|on|off"
std::vector<std::string> words_of(std::string_view values) {
  std::vector<std::string> words;
  while (!values.empty()) {
    const std::size_t end = std::min(values.find('|'), values.size());
    words.emplace_back(values.substr(0, end));
    values.remove_prefix(std::min(end + 1, values.size()));
  }
  return words;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Where the first of the list ends. The path of `stats` may hold a ':', and ends where another
// option follows.
std::size_t end_of_setting(std::string_view list) {
  const auto next = [&](std::size_t from) { return std::min(list.find(':', from), list.size()); };
  std::size_t end = next(0);
  while (list.starts_with("stats=") && end != list.size()) {
    const std::string_view rest = list.substr(end + 1);
    const std::size_t equals = rest.find_first_of("=:");
    if (equals != std::string_view::npos && rest[equals] == '=' &&
        find_library_option(rest.substr(0, equals)) != nullptr) {
      break;
    }
    end = next(end + 1);
  }
  return end;
}

// "0..3600000 milliseconds": the values that there are.
std::string with_unit(const OptionInfo& option) {
  const std::string_view kind = option.kind;
  const char* const unit = kind == "ms" ? " milliseconds" : kind == "us" ? " microseconds" : "";
  return fmt::format("{}{}", option.values, unit);
}

}  // namespace

void check_setting(const Setting& setting, std::string_view source, int status) {
  const char* problem = offload::check_option(setting.name.c_str(), setting.value.c_str());
  if (problem == nullptr) return;
  const OptionInfo* info = find_library_option(setting.name);
  if (info == nullptr) {
    const std::string meant = did_you_mean(setting.name, names_in(library_options()));
    throw Failure(status, fmt::format("{}: {}: '{}'{}", source, problem, setting.name,
                                      meant.empty() ? "; 'mmt list options' shows all" : meant));
  }
  throw Failure(status, fmt::format("{}: wrong value '{}' for option '{}': {} ({}){}", source,
                                    setting.value, setting.name, problem, with_unit(*info),
                                    did_you_mean(setting.value, words_of(info->values))));
}

Setting parse_setting(std::string_view text, std::string_view source, int status) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    throw Failure(status, fmt::format("{}: '{}' is not of the form name=value", source, text));
  }
  Setting setting{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)),
                  std::string(source)};
  // Both spellings: as a flag it is "--huge-pages".
  std::replace(setting.name.begin(), setting.name.end(), '-', '_');
  check_setting(setting, source, status);
  return setting;
}

std::vector<Setting> parse_settings(std::string_view list, std::string_view source, int status) {
  std::vector<Setting> settings;
  while (!list.empty()) {
    const std::size_t end = end_of_setting(list);
    if (end != 0) settings.push_back(parse_setting(list.substr(0, end), source, status));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return settings;
}

std::vector<Setting> environment_settings(int status) {
  std::vector<Setting> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("MMT_")) continue;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = text.substr(4, equals - 4);
    if (name == "OPTIONS") {
      for (Setting& one : parse_settings(text.substr(equals + 1), "MMT_OPTIONS", status)) {
        all.push_back(std::move(one));
      }
    }
    if (!is_option_variable(name)) continue;
    all.push_back(
        {lower(name), std::string(text.substr(equals + 1)), std::string(text.substr(0, equals))});
    check_setting(all.back(), all.back().source, status);
  }
  return all;
}

void check_environment(int status) {
  environment_settings(status);
  // A relative one counts from a folder that only the program knows.
  const std::string report = resolved_value("stats", {});
  if (report.starts_with('/') && !is_page_folder(report)) report_path(report, status);
}

std::string resolved_value(std::string_view name, const std::vector<Setting>& settings) {
  const auto last_of = [&](const std::vector<Setting>& list) {
    const auto last = std::find_if(list.rbegin(), list.rend(),
                                   [&](const Setting& one) { return one.name == name; });
    return last == list.rend() ? std::string() : last->value;
  };
  if (std::string value = last_of(settings); !value.empty()) return value;
  if (const char* value = std::getenv(variable_of(name).c_str())) return value;
  const char* list = std::getenv("MMT_OPTIONS");
  return last_of(parse_settings(list != nullptr ? list : "", "MMT_OPTIONS", kUsage));
}

std::string variable_of(std::string_view option) {
  std::string out = "MMT_";
  for (const char c : option) {
    out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return out;
}

std::string report_path(const std::string& path, int status) {
  if (path == "-" || path == "stderr") return path;
  const std::filesystem::path absolute = std::filesystem::absolute(path);
  const std::string folder = absolute.parent_path().string();
  // A folder with a template in it is known only to the program.
  if (folder.find('%') == std::string::npos && ::access(folder.c_str(), F_OK) != 0) {
    throw Failure(status, fmt::format("cannot write '{}': there is no folder '{}'", path, folder));
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(absolute, ignored)) {
    throw Failure(status, fmt::format("cannot write '{}': it is a folder", path));
  }
  const bool is_device = std::filesystem::exists(absolute, ignored) &&
                         !std::filesystem::is_regular_file(absolute, ignored);
  if (folder.find('%') == std::string::npos && !is_device && ::access(folder.c_str(), W_OK) != 0) {
    throw Failure(status, fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  }
  return absolute.string();
}

}  // namespace mmt::cli
