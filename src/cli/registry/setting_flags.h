// The flags with which verbs take library options. There is one for each option of the table
// ("--huge-pages on"), -o name=value for any, and short forms of those used most.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "cli/registry/settings.h"

namespace mmt::cli {

class SettingFlags {
 public:
  // Declares the flags, but for options that the verb has declared. The object must outlive the
  // parsing.
  void add_to(CLI::App& app);

  // What was given, checked, in the order of the command line: the last one wins. Throws a Failure
  // with `status`.
  std::vector<Setting> settings(int status) const;

 private:
  const CLI::App* app_ = nullptr;
  std::map<const CLI::Option*, std::string> names_;  // of -o: empty
  std::vector<std::string> generic_;
};

}  // namespace mmt::cli
