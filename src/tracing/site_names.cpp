#include "tracing/site_names.h"

#include <sys/stat.h>

#include <charconv>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "report/visible.h"

namespace mmt::tracing {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

const std::string& SiteNames::of(std::uint32_t site) {
  const auto [found, is_new] = names_.try_emplace(site);
  if (is_new) found->second = report::visible(name_of(reader_.site(site)));
  return found->second;
}

// Files come with the second in which they were made, or finer; a recording starts later.
bool SiteNames::is_as_recorded(const std::string& path) {
  const auto [found, is_new] = is_as_recorded_.try_emplace(path, false);
  if (!is_new) return found->second;
  struct stat status {};
  // A crafted trace may name a pipe, which would be waited for, or a device.
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const auto changed = static_cast<std::uint64_t>(status.st_mtim.tv_sec) * kSecond;
  found->second = changed <= reader_.header().start_ns;
  if (!found->second) changed_ = path;
  return found->second;
}

std::string SiteNames::name_of(const std::string& text) {
  const std::size_t plus = text.rfind("+0x");
  if (!text.starts_with('/') || plus == std::string::npos) return text;
  const std::string path = text.substr(0, plus);
  const std::string_view offset = std::string_view(text).substr(plus + 3);
  std::uint64_t address = 0;
  std::from_chars(offset.data(), offset.data() + offset.size(), address, 16);
  const std::string in_file = fmt::format("{}+0x{}", file_name(path), offset);
  if (address == 0 || !is_as_recorded(path)) return in_file;
  has_asked_ = true;
  // It is where the call returns to, which may be in the next function.
  const SymbolPlace place = symbols_.at(path, address - 1);
  if (place.function.empty()) return in_file;
  if (place.file.empty()) return fmt::format("{} {}", place.function, in_file);
  return fmt::format("{} ({}:{}) {}", place.function, file_name(place.file), place.line, in_file);
}

std::string SiteNames::why_none() const {
  if (has_asked_ && !symbols_.why_none().empty()) return symbols_.why_none();
  return changed_.empty() ? "" : fmt::format("'{}' has changed since", changed_);
}

}  // namespace mmt::tracing
