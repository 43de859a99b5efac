// Reading of configuration files.
#include "cli/registry/config.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string_view>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "command/failure.h"
#include "command/input_file.h"

namespace mmt::cli {

using command::Failure;
using command::text_of_file;

namespace {

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Nearest first.
std::vector<std::string> candidates() {
  std::vector<std::string> paths{"./mmt.toml"};
  const std::string config = from_environment("XDG_CONFIG_HOME");
  const std::string home = from_environment("HOME");
  if (!config.empty()) {
    paths.push_back(config + "/mmt/mmt.toml");
  } else if (!home.empty()) {
    paths.push_back(home + "/.config/mmt/mmt.toml");
  }
  paths.emplace_back("/etc/mmt.toml");
  return paths;
}

std::string value_text(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto flag = node.value_exact<bool>()) return *flag ? "on" : "off";
  if (const auto number = node.value_exact<int64_t>()) return fmt::format("{}", *number);
  throw std::runtime_error("a value is a text, a whole number, true or false");
}

// Each dot of a key makes a table within another, which the parser, unlike brackets, does not
// count. Taking so many apart overflows no stack.
constexpr std::size_t kMostDots = 8192;

void refuse_deep_keys(const std::string& text, const std::string& path, int status) {
  std::size_t line = 1;
  std::size_t dots = 0;
  for (const char one : text) {
    if (one == '\n') ++line;
    if (one != '.' || ++dots <= kMostDots) continue;
    throw Failure(
        status,
        fmt::format("{}: line {}: more dots than the keys of a configuration have", path, line));
  }
}

bool is_set(const std::vector<Setting>& settings, const std::string& name) {
  return std::any_of(settings.begin(), settings.end(),
                     [&](const Setting& one) { return one.name == name; });
}

}  // namespace

std::vector<Setting> parse_config(const std::string& text, const std::string& path, int status) {
  const auto fail = [&](std::string_view problem) {
    throw Failure(status, fmt::format("{}: {}", path, problem));
  };
  std::vector<Setting> settings;
  refuse_deep_keys(text, path, status);
  try {
    const toml::table file = toml::parse(text, path);
    for (const auto& [name, node] : file) {
      if (name != "options" || !node.is_table()) {
        fail(fmt::format("'{}' is no part of it; there is only the table [options]", name.str()));
      }
      for (const auto& [option, value] : *node.as_table()) {
        if (option == "stats") fail("'stats' is not for configuration files");
        settings.push_back({std::string(option.str()), value_text(value), path});
        check_setting(settings.back(), path, status);
      }
    }
  } catch (const toml::parse_error& error) {
    fail(fmt::format("line {}: {}", error.source().begin.line, error.description()));
  } catch (const Failure&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    fail(error.what());
  }
  return settings;
}

std::vector<Setting> configured_settings(int status) {
  const std::vector<Setting> listed =
      parse_settings(from_environment("MMT_OPTIONS"), "MMT_OPTIONS", status);
  std::vector<Setting> settings;
  for (const std::string& path : candidates()) {
    std::error_code ignored;
    using Type = std::filesystem::file_type;
    const Type type = std::filesystem::status(path, ignored).type();
    // Nor is there one in a folder that may not be searched: another user's home.
    if (type == Type::not_found || type == Type::none) continue;
    // A pipe would be waited for.
    if (type != Type::regular) {
      throw Failure(status, fmt::format("the configuration '{}' is no regular file", path));
    }
    const std::string text = text_of_file(path, "the configuration", status);
    for (Setting& one : parse_config(text, path, status)) {
      const bool decided = is_set(settings, one.name) || is_set(listed, one.name) ||
                           std::getenv(variable_of(one.name).c_str()) != nullptr;
      if (!decided) settings.push_back(std::move(one));
    }
  }
  return settings;
}

}  // namespace mmt::cli
