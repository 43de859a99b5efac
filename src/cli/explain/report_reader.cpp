#include "cli/explain/report_reader.h"

#include <stdexcept>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "cli/explain/report_json.h"
#include "cli/explain/report_text.h"

namespace mmt::cli {

namespace {

std::string_view without_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  return line;
}

// The report, or what is wrong.
std::variant<HeapReport, std::string> report_or_fault(std::string_view line,
                                                      const std::string& name, std::size_t number) {
  try {
    return report_of_json(std::string(line), name, number);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace

void ReportReader::take(const InputLine& line) {
  if (line.is_begin) ++number_;
  const std::string_view text = without_end(line.bytes);
  if (form_ == Form::kUnknown && !text.empty())
    form_ = begins_as_json(text) ? Form::kJson : Form::kText;
  form_ == Form::kJson ? take_json(line) : take_text(line);
}

void ReportReader::take_json(const InputLine& line) {
  const std::string_view text = without_end(line.bytes);
  if (!line.is_begin || text.empty()) return;
  if (!line.is_whole)
    return sink_.wrong(fmt::format("'{}', line {}: it is too long", name_, number_));
  auto found = report_or_fault(text, name_, number_);
  if (auto* const report = std::get_if<HeapReport>(&found)) return give(std::move(*report));
  sink_.wrong(std::get<std::string>(found));
}

void ReportReader::take_text(const InputLine& line) {
  const std::string_view text = without_end(line.bytes);
  if (open_ && line.is_whole && goes_on(text)) return;
  if (open_ && line.is_whole && is_of_threads(text)) return sink_.other(line.bytes);
  end();
  if (!line.is_whole || !begins_report(text)) sink_.other(line.bytes);
}

bool ReportReader::goes_on(std::string_view line) {
  if (const auto role = add_place(line, *open_)) {
    last_role_ = role;
    sink_.has(*open_, *role, 0);
    return true;
  }
  if (last_role_ && add_outer(line, *open_, *last_role_)) {
    sink_.has(*open_, *last_role_, open_->stack(*last_role_).size() - 1);
    return true;
  }
  last_role_.reset();
  if (!add_times(line, *open_)) return false;
  sink_.has_times(*open_);
  return true;
}

bool ReportReader::begins_report(std::string_view line) {
  // Reports as JSON may go to stderr, too, among others' lines.
  if (begins_as_json(line)) {
    auto found = report_or_fault(line, name_, number_);
    auto* const report = std::get_if<HeapReport>(&found);
    if (report != nullptr) give(std::move(*report));
    return report != nullptr;
  }
  const std::size_t begin = begin_of_report(line);
  if (begin == line.npos) return false;
  if (begin != 0) sink_.other(line.substr(0, begin));
  open_ = report_of_first_line(line.substr(begin));
  sink_.begins(*open_);
  return true;
}

void ReportReader::give(HeapReport report) {
  sink_.begins(report);
  for (const Role role : kRoles) {
    if (role == Role::kFound && report.is_found_by_look) sink_.has(report, role, 0);
    for (std::size_t i = 0; i < report.stack(role).size(); ++i) sink_.has(report, role, i);
  }
  if (report.has_times()) sink_.has_times(report);
  sink_.ends(std::move(report));
}

void ReportReader::end() {
  last_role_.reset();
  if (open_) sink_.ends(*std::exchange(open_, std::nullopt));
}

}  // namespace mmt::cli
