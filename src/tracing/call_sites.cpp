#include "tracing/call_sites.h"

#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

namespace mmt::tracing {
namespace {

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

CallSites::Modules& CallSites::own_modules() {
  if (modules_.use_count() > 1) modules_ = std::make_shared<Modules>(*modules_);
  return *modules_;
}

void CallSites::add_module(std::uint64_t start, std::uint64_t end, std::uint64_t base) {
  last_ = 0;
  if (modules_->size() >= kMostModules) return;
  own_modules()[end] = {start, base, ""};
  last_ = end;
}

void CallSites::add_path(const std::string& text) {
  const auto last = modules_->find(last_);
  if (last == modules_->end() || last->second.path.size() >= kLongestPath) return;
  own_modules()[last_].path += text;
  path_bytes_ += text.size();
}

CallSites CallSites::modules_alone() const {
  CallSites same;
  same.modules_ = modules_;
  same.path_bytes_ = path_bytes_;
  return same;
}

std::uint32_t CallSites::number(std::uint64_t address, pid_t process, const std::string& program,
                                tracefile::Writer& writer) {
  if (numbers_.size() >= kMostNumbers && !numbers_.contains(address)) return 0;
  std::uint32_t& number = numbers_[address];
  if (number != 0) return number;
  if (module_of(address) == nullptr) {
    // Code that a program makes lies in no file, however often that is asked.
    if (unknown_ < kAskedInVain || unknown_ % kAskedInVain == 0) ask_system(process);
    if (module_of(address) == nullptr) ++unknown_;
  }
  number = writer.add_site(text_of(address, program));
  return number;
}

const CallSites::Module* CallSites::module_of(std::uint64_t address) const {
  const auto found = modules_->upper_bound(address);
  if (found == modules_->end() || address < found->second.start) return nullptr;
  return &found->second;
}

void CallSites::ask_system(pid_t process) {
  std::map<std::string, std::uint64_t> bases;
  std::ifstream lines(fmt::format("/proc/{}/maps", process));
  for (std::string line; std::getline(lines, line);) {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    int path_at = -1;
    // start-end perms offset device inode   path
    const int taken = std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %*s %*x %*s %*u %n",
                                  &start, &end, &path_at);
    if (taken != 2 || path_at < 0) continue;
    const std::string path = line.substr(static_cast<std::size_t>(path_at));
    if (!path.starts_with('/')) continue;
    own_modules()[end] = {start, bases.try_emplace(path, start).first->second, path};
  }
}

std::string CallSites::text_of(std::uint64_t address, const std::string& program) const {
  const Module* const module = module_of(address);
  if (module == nullptr) return fmt::format("{:#x}", address);
  // The program itself has no name in the loader's list.
  const std::string_view path = module->path.empty() ? program : module->path;
  // Where a relative one leads is known to the process alone.
  return fmt::format("{}+{:#x}", path.starts_with('/') ? path : file_name(path),
                     address - module->base);
}

}  // namespace mmt::tracing
