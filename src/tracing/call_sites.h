// Texts of return addresses: the path of the loaded file and the offset in it, as addr2line takes
// them.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "tracefile/writer.h"

namespace mmt::tracing {

class CallSites {
 public:
  // What a program tells is taken up to these; the rest has no names.
  static constexpr std::size_t kMostModules = 1 << 14;
  static constexpr std::size_t kLongestPath = 4096;
  static constexpr std::size_t kMostNumbers = 1 << 20;

  // A loaded file whose code lies in [start, end), and whose address 0 lies at `base`.
  void add_module(std::uint64_t start, std::uint64_t end, std::uint64_t base);
  // The rest of the path of the module added last.
  void add_path(const std::string& text);

  // The number of a return address, whose text is added to the writer when it comes first. What
  // was loaded later than the process told is asked of the system while it runs.
  std::uint32_t number(std::uint64_t address, pid_t process, const std::string& program,
                       tracefile::Writer& writer);
  // About what it takes. Modules that are shared count for each.
  std::size_t held_bytes() const {
    return numbers_.size() * kBytesANumber + modules_->size() * kBytesAModule + path_bytes_;
  }
  // For a child of a fork: the same modules, no numbers yet. They are shared until one is added.
  CallSites modules_alone() const;

 private:
  struct Module {
    std::uint64_t start = 0;
    std::uint64_t base = 0;
    std::string path;
  };

  static constexpr std::size_t kBytesANumber = 48;
  static constexpr std::size_t kBytesAModule = 128;

  using Modules = std::map<std::uint64_t, Module>;  // by end
  // How often the system is asked in vain, before it is so ever less.
  static constexpr std::uint64_t kAskedInVain = 256;

  Modules& own_modules();
  const Module* module_of(std::uint64_t address) const;
  void ask_system(pid_t process);
  std::string text_of(std::uint64_t address, const std::string& program) const;

  std::shared_ptr<Modules> modules_ = std::make_shared<Modules>();
  std::size_t path_bytes_ = 0;
  std::uint64_t last_ = 0;  // end of the one added last
  std::uint64_t unknown_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace mmt::tracing
