// The report that people read: at most ten lines in words about a program's memory, each at most 80
// columns wide. What is zero is left out, and what matters least where others take a second line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mmt::cli {

// The figures of a running process, or of all processes of a run that has ended.
struct HeapFigures {
  bool is_running = false;
  bool has_exited = true;     // else `last` may be older than the end
  bool all_exited = true;     // every process of several
  std::size_t processes = 1;  // of several, the peaks are no less than what there was at one time
  std::size_t served = 0;     // of these, by a memory thread
  double cpu_seconds = 0;
  std::uint64_t resident_now = 0;   // of a running one
  std::uint64_t resident_peak = 0;  // of the largest process
  std::uint64_t page_faults = 0;
  std::uint64_t asked_peak = 0;
  std::uint64_t held_peak = 0;
  std::uint64_t asked_inherited = 0;  // of a tree's peaks, what forks' children began with
  std::uint64_t held_inherited = 0;
  std::uint64_t threads = 0;  // most in one process
  std::uint64_t taken = 0;    // blocks
  std::uint64_t given = 0;
  double taken_a_second = 0;
  std::vector<std::uint64_t> counters;  // in the order of kStatFields
  std::vector<std::uint64_t> last;      // of the one process, or the first: what is there now

  bool is_tree() const { return processes > 1; }
  // The last look at the heap was before its first block; the peaks are right.
  bool is_uncounted() const { return (is_running || !all_exited) && taken == 0 && asked_peak != 0; }
};

struct HeapLine {
  std::string name;
  std::string text;
};
using HeapLines = std::vector<HeapLine>;

HeapLines heap_lines(const HeapFigures& figures);

// Those of these lines that the kernel tells of any program.
HeapLines kernel_lines(const HeapFigures& figures);

// The lines "  name           text", each with further ones where its text is long: no more than go
// below a heading.
std::string below_heading(HeapLines lines);

// True where nothing has asked the heap for a block: of a program with an allocator inside, always.
bool is_unused(const std::vector<std::uint64_t>& values);

// The columns that the text of a line has.
inline constexpr std::size_t kTextWidth = 63;

}  // namespace mmt::cli
