// A table of strings with aligned columns, for consoles: two spaces between columns. Cells may hold
// anything, and are shown by visible().
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mmt::report {

enum class Align { kLeft, kRight };

class TextTable {
 public:
  struct Column {
    std::string title;
    Align align = Align::kRight;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // A shorter row is filled up with empty cells. Precondition: not longer than the columns.
  void add_row(std::vector<std::string> cells);

  // An empty line between groups of rows.
  void add_gap() { rows_.emplace_back(); }

  bool empty() const { return rows_.empty(); }

  // The whole table, each line ended by '\n' and free of trailing spaces. A column that is empty
  // in every row is left out. Words of the last column that do not fit into `width` go on below.
  // Where the columns before leave it no room, all but the first cell do. A `width` of 0: no limit.
  std::string render(std::size_t width = 0) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace mmt::report
