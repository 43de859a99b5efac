#include "cli/explain/place_names.h"

#include <sys/stat.h>

#include <fmt/format.h>

#include "report/units.h"

namespace mmt::cli {

using tracing::Symbols;

namespace {

// A server that is watched for weeks may name ever new places.
constexpr std::size_t kMostSeen = std::size_t{1} << 16;
constexpr std::size_t kMostModules = std::size_t{1} << 12;
// File systems tell times by two seconds at worst.
constexpr time_t kSlackSeconds = 2;

}  // namespace

const PlaceNames::Module& PlaceNames::module_of(const std::string& path) {
  if (modules_.size() >= kMostModules) modules_.clear();
  const auto [found, is_new] = modules_.try_emplace(path);
  Module& module = found->second;
  if (!is_new) return module;
  struct stat status {};
  // A crafted report may name a pipe, which would be waited for, or a device.
  const bool is_path = path.starts_with('/') && path.find('\0') == std::string::npos;
  if (!is_path || ::stat(path.c_str(), &status) != 0) {
    module.why_none = fmt::format("there is no '{}'", path);
  } else if (!S_ISREG(status.st_mode)) {
    module.why_none = fmt::format("'{}' is no regular file", path);
  }
  module.changed = status.st_mtim.tv_sec;
  return module;
}

std::string PlaceNames::why_not_asked(const CodePlace& place) {
  if (place.module.empty()) return "code of no file";
  const Module& module = module_of(place.module);
  if (!module.why_none.empty()) return module.why_none;
  if (written_ && module.changed > *written_ + kSlackSeconds)
    return fmt::format("'{}' has changed since", place.module);
  return "";
}

void PlaceNames::find(CodePlace& place, bool is_call) {
  const std::string why = why_not_asked(place);
  if (!why.empty()) return miss(place.module, why);
  // It may return to the next function.
  const std::uint64_t address = place.offset - (is_call && place.offset != 0 ? 1 : 0);
  if (seen_.size() >= kMostSeen) seen_.clear();
  const auto [found, is_new] = seen_.try_emplace({place.module, address});
  if (is_new) found->second = symbols_.at_distance(place.module, address);
  place.names = found->second;
  if (place.names.file.empty())
    miss(place.module, fmt::format("'{}' has no debug information", place.module));
}

void PlaceNames::miss(const std::string& path, const std::string& why) {
  if (missed_.size() >= kMostModules || !missed_.insert(path).second) return;
  if (!why_.empty()) return;
  const std::string none = Symbols::why_none();
  why_ = none.empty() ? why : none;
}

std::string PlaceNames::why_none() const {
  if (missed_.size() < 2) return why_;
  return fmt::format("{}; {} too", why_,
                     report::counted(missed_.size() - 1, "other file", "other files"));
}

}  // namespace mmt::cli
