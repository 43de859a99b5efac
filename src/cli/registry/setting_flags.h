// The flags with which verbs take library options: one for each option of the table ("--huge-pages
// on"), -o name=value for any, and short forms of those used most.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/registry/settings.h"

namespace mmt::cli {

class SettingFlags {
 public:
  // Declares the flags. The object must outlive the parsing.
  void add_to(CLI::App& app);

  // What was given, checked, later ones last. Throws a Failure with `status`.
  std::vector<Setting> settings(int status) const;

 private:
  std::vector<std::pair<std::string, std::string>> named_;  // option name, value
  std::vector<std::string> generic_;
};

}  // namespace mmt::cli
