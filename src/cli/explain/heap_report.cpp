#include "cli/explain/heap_report.h"

#include <fmt/format.h>

#include "report/visible.h"

namespace mmt::cli {

using tracing::SymbolPlace;

namespace {

constexpr FaultKind kKinds[] = {
    {"double-free", "A block is freed that was freed already"},
    {"invalid-free", "What is freed is no block of the heap"},
    {"overflow", "A block is written beyond its end"},
    {"underflow", "A block is written before its beginning"},
    {"write-after-free", "A block is written after it was freed"},
    {"size-mismatch", "A block is freed with another size or alignment than it has"},
    {"type-mismatch", "A block is freed by another family of names than allocated it"},
    {"metadata-write", "Memory is written that the heap keeps for itself"},
    {"read-after-free", "A block is read after it was freed"},
};
constexpr const char* kRoleNames[] = {"found by", "allocated by", "freed by"};

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string text_of(const CodePlace& place) {
  const SymbolPlace& names = place.names;
  if (names.function.empty() && names.file.empty()) {
    if (place.module.empty()) return fmt::format("{:#x}", place.address);
    return fmt::format("{:#x} ({}+{:#x})", place.address, place.module, place.offset);
  }
  const std::string in_file = fmt::format("{}+{:#x}", file_name(place.module), place.offset);
  if (names.file.empty()) return fmt::format("{} {}", names.function, in_file);
  const std::string line = fmt::format("{}:{}", file_name(names.file), names.line);
  if (names.function.empty()) return fmt::format("({}) {}", line, in_file);
  return fmt::format("{} ({}) {}", names.function, line, in_file);
}

}  // namespace

std::span<const FaultKind> fault_kinds() { return kKinds; }

std::optional<std::size_t> index_of_kind(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kKinds); ++i) {
    if (kKinds[i].name == name) return i;
  }
  return std::nullopt;
}

bool HeapReport::is_call(Role role, std::size_t frame) const {
  return role != Role::kFound || frame != 0 || !text.starts_with("it is being ");
}

std::string message_of(const HeapReport& report) {
  std::string message;
  if (report.block) {
    message += fmt::format("block {:#x}", *report.block);
    if (report.bytes) message += fmt::format(" of {} bytes", *report.bytes);
    message += ": ";
  } else if (report.at) {
    message += fmt::format("address {:#x}: ", *report.at);
  }
  message += report.text;
  if (report.told) message += fmt::format(" {}", *report.told);
  if (!report.allocated_as.empty()) {
    message += fmt::format(" allocated by {}, freed by {}", report.allocated_as, report.freed_as);
  }
  return report::visible(message);
}

std::string line_of(const HeapReport& report, Role role, std::size_t width) {
  const CodePlace* const place = report.place(role);
  const std::string what = place ? text_of(*place) : "a look at the heap";
  return report::visible(
      fmt::format("{:<{}} {}", kRoleNames[static_cast<std::size_t>(role)], width, what));
}

std::string outer_line_of(const HeapReport& report, Role role, std::size_t frame,
                          std::size_t width) {
  return report::visible(fmt::format("{:>{}} {}", "at", width, text_of(report.stack(role)[frame])));
}

std::string times_of(const HeapReport& report) {
  std::string line;
  const auto add = [&line](const char* what, const std::optional<std::uint64_t>& ms,
                           const char* how) {
    if (ms) line += fmt::format("{}{} {} ms {} at most", line.empty() ? "" : ", ", what, *ms, how);
  };
  add("allocated", report.allocated_ms_ago, "ago");
  add("freed", report.freed_ms_ago, "ago");
  add("found", report.late_ms, "late");
  return line;
}

}  // namespace mmt::cli
