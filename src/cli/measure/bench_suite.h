// The programs that `mmt bench` runs, as described by suite files (docs/commands.md, "Suites").
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mmt::cli {

inline constexpr int kDefaultRuns = 7;

struct SuiteProgram {
  std::string suite;
  std::string name;
  std::vector<std::string> command;  // "{tmp}" stands for a folder that each run finds empty
  int runs = kDefaultRuns;
  std::string pin;                   // CPU list, empty: not pinned
  std::vector<std::string> metrics;  // those shown on the console, empty: all
  std::vector<std::pair<std::string, std::string>> environment;
  std::string input = "/dev/null";  // file to read as standard input
  std::string package;              // the Debian package that brings the program
  bool same_output = false;         // standard output must be that of the first allocator
};

// Reads a suite file. Throws a Failure that names the file and what is wrong in it.
std::vector<SuiteProgram> load_suite(const std::string& path);

// The same from text; `path` serves messages and the placeholder "{suite}", its folder.
std::vector<SuiteProgram> parse_suite(const std::string& text, const std::string& path);

// The file of the suite called `name`; throws a Failure that names those there are.
std::string find_suite(const std::string& name);

// Names of the suites there are, sorted.
std::vector<std::string> suite_names();

}  // namespace mmt::cli
