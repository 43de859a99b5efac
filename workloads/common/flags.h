// Command line flags of the workload programs: `--name value` or `--name=value`; the last one wins.
// Never allocates, so that the heap holds nothing but what the workload puts there.
// Every flag must be asked for before finish(), which rejects what nobody asked for.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace mmt::workloads {

class Flags {
 public:
  // `program` is used in messages. A bad command line ends the program with status 2.
  Flags(const char* program, int argc, char** argv);

  // A number, with an optional binary suffix K, M or G.
  uint64_t number(std::string_view name, uint64_t fallback);
  // One of `allowed`; an empty list allows any text.
  std::string_view text(std::string_view name, std::string_view fallback,
                        std::initializer_list<std::string_view> allowed = {}) {
    return text(name, fallback, std::span(allowed.begin(), allowed.size()));
  }
  std::string_view text(std::string_view name, std::string_view fallback,
                        std::span<const std::string_view> allowed);
  // True when `--name` stands alone on the command line.
  bool given(std::string_view name);

  // Ends the program with status 2 if an argument was not used, or with 0 after `--help`.
  void finish() const;

 private:
  static constexpr int kMaxArguments = 64;

  bool find(std::string_view name, std::string_view* value);

  const char* program_;
  int count_;
  char** arguments_;
  bool used_[kMaxArguments] = {};
  bool help_ = false;
};

}  // namespace mmt::workloads
