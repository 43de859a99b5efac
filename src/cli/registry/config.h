// Configuration files: settings for every run, below what flags and the environment say.
//
//   [options]
//   huge_pages = "off"
//   decay = 500
//   quiet = true
//
// ./mmt.toml goes before $XDG_CONFIG_HOME/mmt/mmt.toml (~/.config), which goes before
// /etc/mmt.toml. A file says how MMT works, never what it writes: `stats` is refused, so that
// running something in a folder from elsewhere overwrites nothing.
#pragma once

#include <string>
#include <vector>

#include "cli/registry/settings.h"

namespace mmt::cli {

// The settings of all files there are, the nearest file's for each option, without the options that
// the environment sets. Throws a Failure with `status` that names file and problem.
std::vector<Setting> configured_settings(int status);

// The settings in `text`, checked; `path` serves messages.
std::vector<Setting> parse_config(const std::string& text, const std::string& path, int status);

}  // namespace mmt::cli
