// Finds reports of the hardened heap in what a program wrote to stderr, or in a file of its reports
// as JSON lines. An input is such a file where its first line is a report's.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cli/explain/heap_report.h"

namespace mmt::cli {

// Takes what there is in an input, in order.
class ReportSink {
 public:
  virtual ~ReportSink() = default;
  // A report, as yet without places.
  virtual void begins(const HeapReport& report) = 0;
  // It has the frame now; the first one is the place itself. No frame: it was found by a look.
  virtual void has(HeapReport& report, Role role, std::size_t frame) = 0;
  virtual void has_times(const HeapReport& report) = 0;
  virtual void ends(HeapReport report) = 0;
  // Bytes that are of no report.
  virtual void other(std::string_view bytes) = 0;
  // Which line of JSON is wrong, and why.
  virtual void wrong(const std::string& what) = 0;
};

// A line, or a piece of a long one.
struct InputLine {
  std::string_view bytes;  // with the line's end, where it has one
  bool is_begin = true;
  bool is_whole = true;
};

class ReportReader {
 public:
  ReportReader(std::string name, ReportSink& sink) : name_(std::move(name)), sink_(sink) {}

  void take(const InputLine& line);
  // The input has ended.
  void end();

 private:
  enum class Form { kUnknown, kText, kJson };

  void take_json(const InputLine& line);
  void take_text(const InputLine& line);
  // Whether a report begins in the line; what stands before it is given.
  bool begins_report(std::string_view line);
  // Whether the line is one more of the report that is open.
  bool goes_on(std::string_view line);
  void give(HeapReport report);

  std::string name_;
  ReportSink& sink_;
  Form form_ = Form::kUnknown;
  std::size_t number_ = 0;          // of the line
  std::optional<HeapReport> open_;  // further lines of it may come
  std::optional<Role> last_role_;   // of these
};

}  // namespace mmt::cli
