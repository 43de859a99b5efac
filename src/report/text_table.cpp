// Rendering of aligned text tables.
#include "report/text_table.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "report/visible.h"
#include "report/wrapped_text.h"

namespace mmt::report {
namespace {

// Narrower text is harder to read than text of its own below the row.
constexpr std::size_t kLeastRoom = 20;

void append_line(std::string& out, const std::vector<TextTable::Column>& columns,
                 const std::vector<std::size_t>& widths, const std::vector<std::string>& cells) {
  const std::size_t start = out.size();
  bool first = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (widths[i] == 0) continue;
    if (!std::exchange(first, false)) out += "  ";
    const std::string padding(widths[i] - cells[i].size(), ' ');
    out += columns[i].align == Align::kRight ? padding + cells[i] : cells[i] + padding;
  }
  out.erase(std::max(start, out.find_last_not_of(' ') + 1));
  out += '\n';
}

// The first cell, and what the others hold below it, with "; " between two of them.
void append_stacked(std::string& out, const std::vector<std::string>& cells, std::size_t width) {
  std::string rest;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (!cells[i].empty()) rest += (rest.empty() ? "" : "; ") + cells[i];
  }
  out += (cells.empty() ? "" : cells.front()) + '\n';
  if (!rest.empty()) out += wrapped("    ", rest, width);
}

// Where the last column begins.
std::size_t begin_of_last(const std::vector<std::size_t>& widths) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) begin += widths[i] != 0 ? widths[i] + 2 : 0;
  return begin;
}

}  // namespace

void TextTable::add_row(std::vector<std::string> cells) {
  for (std::string& one : cells) one = visible(one);
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::render(std::size_t width) const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (widths[i] != 0) widths[i] = std::max(widths[i], columns_[i].title.size());
    titles.push_back(widths[i] != 0 ? columns_[i].title : std::string());
  }
  std::string out;
  const std::size_t begin = begin_of_last(widths);
  if (width != 0 && width < begin + kLeastRoom) {
    append_stacked(out, titles, width);
    for (const auto& row : rows_) append_stacked(out, row, width);
    return out;
  }
  append_line(out, columns_, widths, titles);
  for (std::vector<std::string> row : rows_) {
    if (row.empty() || width == 0 || begin + row.back().size() <= width) {
      append_line(out, columns_, widths, row);
      continue;
    }
    const std::string last = std::exchange(row.back(), "");
    std::string line;
    append_line(line, columns_, widths, row);
    line.pop_back();
    line.resize(begin, ' ');
    out += wrapped(line, last, width);
  }
  return out;
}

}  // namespace mmt::report
