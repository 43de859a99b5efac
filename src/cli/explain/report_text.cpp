#include "cli/explain/report_text.h"

#include <utility>

#include "cli/explain/numbers.h"

namespace mmt::cli {

namespace {

// More than the heap ever tells.
constexpr std::size_t kMostFrames = 64;
constexpr std::string_view kMark = "mmt: ";
constexpr std::string_view kPlaceMark = "mmt:   ";
constexpr std::string_view kPlaceNames[] = {"found by ", "allocated by ", "freed by "};
constexpr std::string_view kOuterMark = "mmt:     at ";
constexpr std::string_view kThreadsMark = "mmt:   allocated on thread ";
constexpr std::string_view kLook = "a look at the heap";

bool take(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

// "block 0x7f00 of 24 bytes: ", "address 0x7f00: "; nothing is taken where it is neither.
void take_subject(std::string_view& text, HeapReport& report) {
  std::string_view rest = text;
  const bool is_block = take(rest, "block ");
  if (!is_block && !take(rest, "address ")) return;
  const auto address = take_hex(rest);
  std::optional<std::uint64_t> bytes;
  if (is_block && take(rest, " of ")) {
    bytes = take_number(rest);
    if (!bytes || !take(rest, " bytes")) return;
  }
  if (!address || !take(rest, ": ")) return;
  (is_block ? report.block : report.at) = address;
  report.bytes = bytes;
  text = rest;
}

// "0x7f00 (/usr/bin/m+0x1154)". What stands in the path is anybody's.
std::optional<CodePlace> place_of(std::string_view text) {
  CodePlace place;
  const auto address = take_hex(text);
  if (!address) return std::nullopt;
  place.address = *address;
  if (text.empty()) return place;
  const std::size_t plus = text.rfind('+');
  if (plus == text.npos || !take(text, " (")) return std::nullopt;
  std::string_view behind = text.substr(plus - 1);
  place.module = text.substr(0, plus - 2);
  const auto offset = take_hex(behind);
  if (!offset || behind != ")") return std::nullopt;
  place.offset = *offset;
  return place;
}

// Takes a report's beginning, and leaves its text.
std::optional<HeapReport> take_begin(std::string_view& line) {
  if (!take(line, kMark)) return std::nullopt;
  const std::size_t colon = line.find(": ");
  if (colon == line.npos) return std::nullopt;
  const auto kind = index_of_kind(line.substr(0, colon));
  if (!kind) return std::nullopt;
  line.remove_prefix(colon + 2);
  HeapReport report{*kind, ""};
  take_subject(line, report);
  return report;
}

}  // namespace

std::size_t begin_of_report(std::string_view line) {
  for (std::size_t at = line.find(kMark); at != line.npos; at = line.find(kMark, at + 1)) {
    std::string_view rest = line.substr(at);
    const auto report = take_begin(rest);
    // Amid a line it has to look like one.
    if (report && (at == 0 || report->block || report->at)) return at;
  }
  return line.npos;
}

std::optional<HeapReport> report_of_first_line(std::string_view line) {
  auto report = take_begin(line);
  if (report) report->text = line;
  return report;
}

std::optional<Role> add_place(std::string_view line, HeapReport& report) {
  if (!take(line, kPlaceMark)) return std::nullopt;
  for (const Role role : kRoles) {
    if (!take(line, kPlaceNames[static_cast<std::size_t>(role)])) continue;
    const bool is_told = report.place(role) || (role == Role::kFound && report.is_found_by_look);
    if (is_told) return std::nullopt;
    if (role == Role::kFound && line == kLook) {
      report.is_found_by_look = true;
      return role;
    }
    auto place = place_of(line);
    if (!place) return std::nullopt;
    report.stack(role).push_back(std::move(*place));
    return role;
  }
  return std::nullopt;
}

bool add_outer(std::string_view line, HeapReport& report, Role role) {
  if (!take(line, kOuterMark) || report.stack(role).size() >= kMostFrames) return false;
  auto place = place_of(line);
  if (place) report.stack(role).push_back(std::move(*place));
  return place.has_value();
}

bool add_times(std::string_view line, HeapReport& report) {
  if (!take(line, kPlaceMark) || report.has_times()) return false;
  const auto take_ms = [&line](std::string_view what,
                               std::string_view how) -> std::optional<std::uint64_t> {
    std::string_view rest = line;
    if (!take(rest, what)) return std::nullopt;
    const auto ms = take_number(rest);
    if (!ms || !take(rest, how)) return std::nullopt;
    take(rest, ", ");
    line = rest;
    return ms;
  };
  const auto allocated = take_ms("allocated ", " ms ago at most");
  const auto freed = take_ms("freed ", " ms ago at most");
  const auto late = take_ms("found ", " ms late at most");
  if (!line.empty()) return false;
  report.allocated_ms_ago = allocated;
  report.freed_ms_ago = freed;
  report.late_ms = late;
  return report.has_times();
}

bool is_of_threads(std::string_view line) { return line.starts_with(kThreadsMark); }

}  // namespace mmt::cli
