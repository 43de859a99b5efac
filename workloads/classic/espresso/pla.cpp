#include "espresso/pla.h"

#include <charconv>
#include <cstdlib>
#include <new>

#include "base/fail.h"
#include "base/memory.h"
#include "espresso/recursion.h"

namespace mmt::workloads::classic::espresso {

namespace {

int width(std::string_view text) { return static_cast<int>(text.size()); }

std::string_view without_comment(std::string_view line) {
  size_t start = line.find('#');
  if (start != std::string_view::npos) line.remove_suffix(line.size() - start);
  return line;
}

// Name by name: all together may be longer than one print() takes.
void print_names(const char* key, std::string_view names, Output* output) {
  if (names.empty()) return;
  output->print("%s", key);
  for (std::string_view name; !(name = take_word(&names)).empty();) {
    output->print(" %.*s", width(name), name.data());
  }
  output->print("\n");
}

}  // namespace

Pla::Pla(std::string_view path) : file_(path), path_(path) {
  read_lines();
  complete();
}

Pla::~Pla() {
  if (function_ != nullptr) function_->~Function();
  std::free(function_);
  std::free(shape_);
}

void Pla::mistake(const char* what, std::string_view text) const {
  bad_input("%.*s:%zu: %s%s%.*s%s", width(path_), path_.data(), file_.line_number(), what,
            text.empty() ? "" : " '", width(text), text.data(), text.empty() ? "" : "'");
}

void Pla::read_lines() {
  std::string_view line;
  while (file_.next_line(&line)) {
    line = without_comment(line);
    std::string_view rest = line;
    std::string_view word = take_word(&rest);
    if (word.empty()) continue;
    if (word == ".e" || word == ".end") break;
    if (word.front() == '.') {
      read_key(line);
    } else {
      read_term(line);
    }
  }
  if (!columns_.empty()) mistake("the last term has too few columns");
  if (shape_ == nullptr) mistake("there is no product term");
  if (terms_ != SIZE_MAX && terms_ != terms_read_) mistake(".p gives another number of terms");
}

void Pla::read_key(std::string_view line) {
  std::string_view key = take_word(&line);
  if (!columns_.empty()) mistake("a term has too few columns before", key);
  if (key == ".p") {
    terms_ = read_number(key, &line, SIZE_MAX - 1);
  } else if (shape_ != nullptr) {
    mistake("comes after the first product term:", key);
  } else if (key == ".i") {
    inputs_ = read_number(key, &line, Shape::kMaxInputs);
  } else if (key == ".o") {
    outputs_ = read_number(key, &line, Shape::kMaxOutputs);
  } else if (key == ".type") {
    read_type(take_word(&line));
  } else if (key == ".ilb") {
    return read_names(key, line, &input_names_);
  } else if (key == ".ob") {
    return read_names(key, line, &output_names_);
  } else {
    mistake("unknown keyword", key);
  }
  std::string_view more = take_word(&line);
  if (!more.empty()) mistake("unexpected", more);
}

size_t Pla::read_number(std::string_view key, std::string_view* line, size_t maximum) {
  std::string_view word = take_word(line);
  size_t result = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), result);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) {
    mistake("a number must follow", key);
  }
  if (key != ".p" && (result == 0 || result > maximum)) mistake("out of range:", word);
  return result;
}

void Pla::read_type(std::string_view word) {
  if (word == "f") {
    type_ = Type::kF;
  } else if (word == "fd") {
    type_ = Type::kFd;
  } else if (word == "fr") {
    type_ = Type::kFr;
  } else {
    mistake(".type is f, fd or fr, not", word);
  }
}

void Pla::read_names(std::string_view key, std::string_view line, std::string_view* names) {
  *names = line;
  if (take_word(&line).empty()) mistake("names must follow", key);
  while (names->front() == ' ' || names->front() == '\t') names->remove_prefix(1);
  while (!names->empty() && (names->back() == '\r' || names->back() == ' '))
    names->remove_suffix(1);
}

void Pla::read_term(std::string_view line) {
  if (shape_ == nullptr) {
    if (inputs_ == 0 || outputs_ == 0) mistake("a product term before .i and .o");
    shape_ = ::new (allocate(sizeof(Shape))) Shape(inputs_, outputs_);
    function_ = ::new (allocate(sizeof(Function))) Function(*shape_);
    columns_.reserve(inputs_ + outputs_);
  }
  for (char c : line) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '|') continue;
    bool is_input = columns_.size() < inputs_;
    std::string_view allowed = is_input ? "01-2" : "01-2~";
    if (allowed.find(c) == std::string_view::npos) {
      mistake(is_input ? "no input value:" : "no output value:", std::string_view(&c, 1));
    }
    columns_.add(c);
    if (columns_.size() == inputs_ + outputs_) add_term();
  }
}

// A term is one cube for each set that some of its outputs are in.
void Pla::add_term() {
  Cube on(*shape_, shape_->full());
  for (size_t v = 0; v < inputs_; ++v) {
    if (columns_[v] == '0') Shape::drop(on, Shape::input_bit(v, 1));
    if (columns_[v] == '1') Shape::drop(on, Shape::input_bit(v, 0));
  }
  Cube dont_care(*shape_, on), off(*shape_, on);
  for (size_t j = 0; j < outputs_; ++j) {
    char c = columns_[inputs_ + j];
    size_t bit = shape_->output_bit(j);
    if (c != '1') Shape::drop(on, bit);
    if (type_ != Type::kFd || (c != '-' && c != '2')) Shape::drop(dont_care, bit);
    if (type_ != Type::kFr || c != '0') Shape::drop(off, bit);
  }
  if (!shape_->is_empty(on)) function_->on.add_block(on.release());
  if (!shape_->is_empty(dont_care)) function_->dont_care.add_block(dont_care.release());
  if (!shape_->is_empty(off)) function_->off.add_block(off.release());
  columns_.shrink(0);
  ++terms_read_;
}

void Pla::check_names(std::string_view names, size_t count, const char* what) {
  if (names.empty()) return;
  size_t found = 0;
  while (!take_word(&names).empty()) ++found;
  if (found != count) mistake("not one name for each column:", what);
}

void Pla::complete() {
  check_names(input_names_, inputs_, ".ilb");
  check_names(output_names_, outputs_, ".ob");
  if (type_ != Type::kFr) return complete_off(function_);
  if (!are_disjoint(function_->on, function_->off))
    mistake("a point is in the on- and the off-set");
  Cofactor both(*shape_, function_->on.size() + function_->off.size());
  both.add(function_->on);
  both.add(function_->off);
  complement(both, &function_->dont_care);
  function_->dont_care.absorb();
  function_->off.absorb();
}

void complete_off(Function* function) {
  Cofactor both(function->on.shape(), function->on.size() + function->dont_care.size());
  both.add(function->on);
  both.add(function->dont_care);
  complement(both, &function->off);
  function->off.absorb();
}

void write_pla(const Cover& cover, std::string_view input_names, std::string_view output_names,
               Output* output) {
  const Shape& shape = cover.shape();
  output->print(".i %zu\n.o %zu\n", shape.inputs(), shape.outputs());
  print_names(".ilb", input_names, output);
  print_names(".ob", output_names, output);
  output->print(".p %zu\n", cover.size());
  char line[Shape::kMaxInputs + Shape::kMaxOutputs + 1];
  for (const Word* cube : cover) {
    size_t length = 0;
    for (size_t v = 0; v < shape.inputs(); ++v) {
      bool may_be_0 = Shape::has(cube, Shape::input_bit(v, 0));
      bool may_be_1 = Shape::has(cube, Shape::input_bit(v, 1));
      line[length++] = may_be_0 && may_be_1 ? '-' : may_be_1 ? '1' : '0';
    }
    line[length++] = ' ';
    for (size_t j = 0; j < shape.outputs(); ++j) {
      line[length++] = Shape::has(cube, shape.output_bit(j)) ? '1' : '0';
    }
    output->print("%.*s\n", static_cast<int>(length), line);
  }
  output->print(".e\n");
}

}  // namespace mmt::workloads::classic::espresso
