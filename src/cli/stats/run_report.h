// Writes what `mmt run --stats` says when the program has ended, on standard error or in a file. It
// is ten lines at most, every figure of every process (--stats=full), or JSON.
#pragma once

#include <optional>
#include <string>

#include "cli/stats/process_tree.h"
#include "programs/supervise.h"
#include "report/output_file.h"

namespace mmt::cli {

struct RunSubject {
  std::string program;
  std::string library;  // that it is given; empty: none
  std::string silence;  // why its processes tell nothing; empty: they do, where MMT is in them
};

class RunReport {
 public:
  // `target`: "-", "full" or a path, in which %p is the program's process id, %e its name. Throws a
  // Failure (125) when the file cannot be opened.
  RunReport(std::string target, const RunSubject& subject);

  bool wants_all_processes() const { return is_full_ || is_json_; }

  // Throws a Failure when it cannot be written.
  void write(const ProcessTree& tree, const programs::Ending& ending);

 private:
  void open(const std::string& path);
  std::string text_of(const ProcessTree& tree, const programs::Ending& ending) const;
  // Tells why MMT gave a tree no block.
  std::string why_silent(const ProcessTree& tree) const;
  std::string json_of(const ProcessTree& tree, const programs::Ending& ending) const;

  std::string target_;
  std::string program_;
  std::string library_;
  std::string silence_;
  bool is_full_ = false;
  bool is_json_ = false;
  std::optional<report::OutputFile> file_;
};

}  // namespace mmt::cli
