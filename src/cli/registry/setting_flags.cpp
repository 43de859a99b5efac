// Flags made from the option table.
#include "cli/registry/setting_flags.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "cli/registry/options.h"
#include "command/failure.h"

namespace mmt::cli {
namespace {

std::string flag_of(std::string_view name) {
  std::string flag = fmt::format("--{}", name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

// Whether the verb has a flag of its own form for it: --no-follow, --quiet, --stats[=PATH].
bool has_own_form(const CLI::App& app, std::string_view name) {
  const std::string flag = flag_of(name);
  return app.get_option_no_throw(flag) != nullptr ||
         app.get_option_no_throw("--no-" + flag.substr(2)) != nullptr;
}

// What stands for its value: all there are, or its unit.
std::string value_of(const OptionInfo& option) {
  const std::string_view kind = option.kind;
  if (kind == "bool" || kind == "enum") return option.values;
  if (kind == "bytes") return "BYTES";
  if (kind == "ms") return "MS";
  return kind == "cpu" ? "CPU" : "N";
}

std::string help_of(const OptionInfo& option) {
  const std::string_view values = option.values;
  const bool is_range = values.find("..") != std::string_view::npos;
  return is_range ? fmt::format("{} {} [{}]", option.help, values, option.def)
                  : fmt::format("{} [{}]", option.help, option.def);
}

}  // namespace

void SettingFlags::add_to(CLI::App& app) {
  app_ = &app;
  const auto ignored = [](const std::string&) {};  // settings() reads all in their order
  for (const OptionInfo& one : library_options()) {
    if (has_own_form(app, one.name)) continue;
    CLI::Option* const option =
        app.add_option_function<std::string>(flag_of(one.name), ignored, help_of(one))
            ->type_name(value_of(one))
            ->group("Options of the library");
    names_[option] = one.name;
  }
  CLI::Option* const any =
      app.add_option("-o", generic_, "Any option of 'mmt list options'; may be repeated")
          ->type_name("OPTION=VALUE")
          ->allow_extra_args(false)
          ->group("Options of the library");
  names_[any] = "";
}

std::vector<Setting> SettingFlags::settings(int status) const {
  std::vector<Setting> all;
  std::map<const CLI::Option*, std::size_t> seen;
  for (const CLI::Option* option : app_->parse_order()) {
    const auto name = names_.find(option);
    if (name == names_.end()) continue;
    const std::string value = option->results().at(seen[option]++);
    if (name->second.empty()) {
      all.push_back(parse_setting(value, "-o", status));
    } else {
      all.push_back({name->second, value, flag_of(name->second)});
      check_setting(all.back(), all.back().source, status);
    }
  }
  return all;
}

}  // namespace mmt::cli
