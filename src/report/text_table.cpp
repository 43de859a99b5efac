// Rendering of aligned text tables.
#include "report/text_table.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace mmt::report {
namespace {

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

}  // namespace

void TextTable::add_row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::render() const {
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
  append_line(out, columns_, widths, titles);
  for (const auto& row : rows_) append_line(out, columns_, widths, row);
  return out;
}

}  // namespace mmt::report
