// Parsing and checking of library options.
#include "cli/registry/settings.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "cli/registry/named.h"
#include "cli/registry/options.h"
#include "command/failure.h"
#include "interprocess/heap_options.h"
#include "interprocess/run_folder.h"
#include "interprocess/variables.h"

namespace mmt::cli {

using command::did_you_mean;
using command::Failure;
using command::kUsage;

namespace {

constexpr std::string_view kPrefix = "MMT_";

bool is_option_variable(std::string_view variable) {
  return variable.starts_with(kPrefix) && !options::is_variable({variable.data(), variable.size()});
}

// What may stand in the environment, but for what MMT sets for itself.
std::vector<std::string> variable_names() {
  std::vector<std::string> names;
  for (const OptionInfo& one : library_options()) names.push_back(variable_of(one.name));
  for (const options::Variable& one : options::variables()) {
    if (!one.is_own) names.emplace_back(one.name);
  }
  return names;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool is_path(std::string_view name) {
  const OptionInfo* const option = find_library_option(name);
  return option != nullptr && option->kind == "path";
}

// Where the first of the list ends. A path may hold a ':', and ends where another option follows.
std::size_t end_of_setting(std::string_view list) {
  const auto next = [&](std::size_t from) { return std::min(list.find(':', from), list.size()); };
  std::size_t end = next(0);
  while (is_path(list.substr(0, std::min(list.find('='), end))) && end != list.size()) {
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
  const char* const unit = kind == "ms" ? " milliseconds" : "";
  return fmt::format("{}{}", option.values, unit);
}

// "on,quiet=off": more than the value of one option.
bool are_several(std::string_view value) {
  const std::size_t end = value.find_first_of(",;: ");
  return end != std::string_view::npos && value.find('=', end) != std::string_view::npos;
}

const char* advice_on_several(std::string_view source) {
  return source == "-o" ? "; give each option an -o of its own" : "; between options stands ':'";
}

}  // namespace

void check_setting(const Setting& setting, std::string_view source, int status) {
  const char* problem = heap::check_option(setting.name.c_str(), setting.value.c_str());
  if (problem == nullptr) return;
  const OptionInfo* info = find_library_option(setting.name);
  if (info == nullptr) {
    const std::string meant = did_you_mean(setting.name, names_in(library_options()));
    throw Failure(status, fmt::format("{}: {}: '{}'{}", source, problem, setting.name,
                                      meant.empty() ? "; 'mmt list options' shows all" : meant));
  }
  const std::string meant = are_several(setting.value)
                                ? advice_on_several(source)
                                : did_you_mean(setting.value, words_of(info->values));
  throw Failure(status, fmt::format("{}: wrong value '{}' for option '{}': {} ({}){}", source,
                                    setting.value, setting.name, problem, with_unit(*info), meant));
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
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string name(text.substr(0, equals));
    const std::string value(text.substr(equals + 1));
    if (name == "MMT_OPTIONS") {
      for (Setting& one : parse_settings(value, name, status)) all.push_back(std::move(one));
    }
    if (!is_option_variable(name)) continue;
    all.push_back({lower(name.substr(kPrefix.size())), value, name});
    if (find_library_option(all.back().name) == nullptr) {
      const std::string meant = did_you_mean(name, variable_names());
      throw Failure(status, fmt::format("{}: unknown option{}", name,
                                        meant.empty() ? "; 'mmt list options' shows all" : meant));
    }
    check_setting(all.back(), name, status);
  }
  return all;
}

void check_environment(int status) {
  environment_settings(status);
  // A relative one counts from a folder that only the program knows.
  const std::string report = resolved_value("stats", {});
  if (report.starts_with('/') && !observe::is_page_folder(report)) report_path(report, status);
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
  std::string out(kPrefix);
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
