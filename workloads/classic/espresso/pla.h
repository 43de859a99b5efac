// Berkeley PLA: reading a function and writing a cover.
// Read: .i .o .p .type (f, fd, fr; fd unless said) .ilb .ob .e and product terms; `#` begins a
// comment. `-` and `2` in an input column are both values. An output column has `1` for the on-set,
// `-` and `2` for the don't-care set under fd, and `0` for the off-set under fr. Anything else, and
// `~`, means nothing. Whatever else the file holds is bad input.
#pragma once

#include <string_view>

#include "base/output.h"
#include "base/text_file.h"
#include "espresso/minimise.h"

namespace mmt::workloads::classic::espresso {

enum class Type { kF, kFd, kFr };

class Pla {
 public:
  // Reads the file; a mistake in it is bad input.
  explicit Pla(std::string_view path);
  ~Pla();
  Pla(const Pla&) = delete;
  Pla& operator=(const Pla&) = delete;

  const Function& function() const { return *function_; }
  // Names as in the file, or empty.
  std::string_view input_names() const { return input_names_; }
  std::string_view output_names() const { return output_names_; }

 private:
  [[noreturn]] void mistake(const char* what, std::string_view text = {}) const;
  void read_lines();
  void read_key(std::string_view line);
  size_t read_number(std::string_view key, std::string_view* line, size_t maximum);
  void read_type(std::string_view word);
  void read_names(std::string_view key, std::string_view line, std::string_view* names);
  void read_term(std::string_view line);
  void add_term();
  void check_names(std::string_view names, size_t count, const char* what);
  void complete();

  TextFile file_;
  std::string_view path_;
  size_t inputs_ = 0;
  size_t outputs_ = 0;
  size_t terms_ = SIZE_MAX;  // As .p says.
  size_t terms_read_ = 0;
  Type type_ = Type::kFd;
  std::string_view input_names_;
  std::string_view output_names_;
  Array<char> columns_;  // Those of the term being read, which may go over several lines.
  Shape* shape_ = nullptr;
  Function* function_ = nullptr;
};

// Fills in the off-set, from the on-set and the don't-care set.
void complete_off(Function* function);

void write_pla(const Cover& cover, std::string_view input_names, std::string_view output_names,
               Output* output);

}  // namespace mmt::workloads::classic::espresso
