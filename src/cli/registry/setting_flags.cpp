// Flags made from the option table.
#include "cli/registry/setting_flags.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "cli/failure.h"
#include "offload/options.h"

namespace mmt::cli {
namespace {

// These have flags of their own form: --no-follow, --quiet, --stats[=PATH].
bool has_short_form(std::string_view name) {
  constexpr std::array<std::string_view, 3> kNames{"follow", "quiet", "stats"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::string flag_of(std::string_view name) {
  std::string flag = fmt::format("--{}", name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

}  // namespace

void SettingFlags::add_to(CLI::App& app) {
  std::size_t count = 0;
  const offload::OptionInfo* table = offload::option_table(&count);
  for (const offload::OptionInfo& one : std::span(table, count)) {
    if (has_short_form(one.name)) continue;
    app.add_option_function<std::string>(
           flag_of(one.name),
           [this, name = std::string(one.name)](const std::string& value) {
             named_.emplace_back(name, value);
           },
           fmt::format("{} [{}]", one.help, one.def))
        ->type_name(one.values)
        ->group("Options of the library");
  }
  app.add_option("-o", generic_, "Any option of 'mmt list options'; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->group("Options of the library");
}

std::vector<Setting> SettingFlags::settings(int status) const {
  std::vector<Setting> all;
  for (const std::string& text : generic_) all.push_back(parse_setting(text, "-o", status));
  for (const auto& [name, value] : named_) {
    check_setting({name, value}, flag_of(name), status);
    all.push_back({name, value});
  }
  return all;
}

}  // namespace mmt::cli
