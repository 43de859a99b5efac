// Options of the library as the command line tool sees them: from flags, from "-o name=value", from
// MMT_OPTIONS and from MMT_NAME. All are checked by the library's own table, so a wrong one is an
// error here instead of a message in the program's output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mmt::cli {

struct Setting {
  std::string name;
  std::string value;
  std::string source = {};  // where it was written: "-o", "MMT_DECAY", "./mmt.toml"
};

// "name=value" taken apart and checked. `source` is where it was written ("-o", "MMT_OPTIONS").
// Throws a Failure with `status` that names the option, the value and what is wrong.
Setting parse_setting(std::string_view text, std::string_view source, int status);

void check_setting(const Setting& setting, std::string_view source, int status);

// The list format of MMT_OPTIONS: "a=b:c=d"; the path of `stats` may hold a
// ':', and ends where another option follows.
std::vector<Setting> parse_settings(std::string_view list, std::string_view source, int status);

// Everything in the environment that the library would read, checked; throws likewise.
std::vector<Setting> environment_settings(int status);
void check_environment(int status);

// What the library will take an option for: the last of `settings`, else MMT_NAME, else
// MMT_OPTIONS, all of which have been checked. Empty: its default.
std::string resolved_value(std::string_view name, const std::vector<Setting>& settings);

// "huge_pages" -> "MMT_HUGE_PAGES", the variable that wins over MMT_OPTIONS.
std::string variable_of(std::string_view option);

// A relative path is made absolute: the program may change its folder before the library uses it.
// "-" and "stderr" are no paths. Throws a Failure when the folder does not exist or may not be
// written to, or when the path is a folder itself.
std::string report_path(const std::string& path, int status);

}  // namespace mmt::cli
