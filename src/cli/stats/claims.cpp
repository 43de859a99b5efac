// Limits of what a page may say.
#include "cli/stats/claims.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "cli/stats/process_tree.h"

namespace mmt::cli {
namespace {

using observe::kStatFields;
using observe::PageFile;
using observe::Stat;

// No process has more addresses without asking for them, and no heap more blocks.
constexpr std::uint64_t kMostThere = std::uint64_t{1} << 48;
// What is counted in a process's life: a billion a second for thirty years.
constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 60;
// In nanoseconds: some hundred years.
constexpr std::uint64_t kLatest = std::uint64_t{1} << 62;
constexpr std::uint64_t kMostOfAFlag = 255;
// The kernel gives none above.
constexpr std::uint32_t kMostProcess = 1 << 22;

std::uint64_t most_of(std::size_t figure) {
  const auto stat = static_cast<Stat>(figure);
  if (std::string_view(kStatFields[figure].unit) == "flag") return kMostOfAFlag;
  if (stat == Stat::kCollectedNs) return kLatest;
  return is_counter(stat) ? kMostCounted : kMostThere;
}

std::string doubt_of(const PageFile& file, std::string_view name) {
  if (std::memcmp(file.page.magic, observe::kStatsMagic, sizeof file.page.magic) != 0)
    return "it is no statistics page";
  if (file.page.version != observe::kStatsVersion)
    return fmt::format("it is of version {}", file.page.version);
  if (file.process == 0 || file.process > kMostProcess)
    return fmt::format("no process can be {}", file.process);
  const std::string end = fmt::format("{}.{}", file.process, file.opened_ns);
  if (name != end && !name.ends_with("." + end)) return "its name is that of another page";
  if (file.opened_ns > kLatest || file.ended_ns > kLatest) return "its times cannot be";
  if (file.page.count == 0) return "it has no figures";
  return "";
}

}  // namespace

std::string doubt_of(std::span<const std::uint64_t> values) {
  const std::size_t known = std::min(values.size(), std::size(kStatFields));
  for (std::size_t i = 0; i < known; ++i) {
    if (values[i] > most_of(i))
      return fmt::format("its figure {} cannot be {}", kStatFields[i].name, values[i]);
  }
  return "";
}

PageClaim claim_of(std::string_view contents, std::string_view name) {
  PageClaim claim;
  PageFile file;
  if (contents.size() < sizeof file) return claim;
  std::memcpy(&file, contents.data(), sizeof file);
  claim.doubt = doubt_of(file, name);
  if (!claim.doubt.empty()) return claim;
  const std::size_t known = std::min<std::size_t>(file.page.count, std::size(kStatFields));
  ProcessPage& page = claim.page;
  page.values.assign(file.page.values, file.page.values + known);
  page.inherited.assign(file.inherited, file.inherited + known);
  // The page is as old as the last look at the heap; a process that is killed takes no other.
  raise_figure(page.values, Stat::kMostInUseBytes, file.peaks.used);
  raise_figure(page.values, Stat::kPeakHeldBytes, file.peaks.held);
  for (const auto* const one : {&page.values, &page.inherited}) {
    claim.doubt = doubt_of(*one);
    if (!claim.doubt.empty()) return claim;
  }
  page.process = static_cast<pid_t>(file.process);
  page.program.assign(file.program, ::strnlen(file.program, sizeof file.program));
  page.is_forked = std::ranges::any_of(page.inherited, [](auto value) { return value != 0; });
  page.has_exited = file.ended_ns != 0;
  page.opened_ns = file.opened_ns;
  page.ended_ns = file.ended_ns;
  page.told.assign(file.told, ::strnlen(file.told, sizeof file.told));
  claim.is_page = true;
  return claim;
}

}  // namespace mmt::cli
