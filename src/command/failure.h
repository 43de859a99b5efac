// How verbs fail: they throw a Failure, main() prints its text on stderr and exits with its status.
// Nothing else in the command line tool ends the process.
#pragma once

#include <stdexcept>
#include <string>

namespace mmt::command {

// Exit statuses. Those of `mmt run` are the ones of env(1), nice(1) and timeout(1), so that the
// status of the program itself can be told apart.
inline constexpr int kFailed = 1;           // the verb could not do its work
inline constexpr int kUsage = 2;            // wrong command line, all verbs but `run`
inline constexpr int kRunFailed = 125;      // `mmt run` itself failed
inline constexpr int kNotExecutable = 126;  // the program is there but cannot be started
inline constexpr int kNotFound = 127;       // there is no such program

class Failure : public std::runtime_error {
 public:
  Failure(int status, const std::string& text) : std::runtime_error(text), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace mmt::command
