// What DebugHeap reports, and how it is written: by StderrReporter, unless a program brings a type
// of its own that is called with each report. A reporter must not use the heap that reports.
#pragma once

#include <unistd.h>

#include <cstddef>

#include <mmt/layers/observe/place.h>
#include <mmt/layers/observe/text_output.h>

namespace mmt::layers {

enum class FaultKind {
  kDoubleFree,    // `at` was freed before; block and size tell what it was
  kInvalidFree,   // `at` never was a block, or so long ago that it is forgotten
  kInteriorFree,  // `at` lies within a block in use
  kWrongSize,     // freed with the size `given`
  kOverrun,       // written behind the block, first at `at`
  kUnderrun,      // written before the block, first at `at`
  kUseAfterFree,  // written after it was freed, first at `at`
  kLeak,          // still in use: `blocks` of them, `bytes` in all, from one place; one is `block`
  kGivenTwice,    // the super-heap gave out a block that is in use
  kMisaligned,    // the super-heap gave out a block of less alignment than it says
};

struct FaultReport {
  FaultKind kind{};
  const void* block = nullptr;  // null: none is known
  size_t size = 0;              // what was asked for
  const void* at = nullptr;
  size_t given = 0;
  size_t blocks = 1;
  size_t bytes = 0;
  Place allocated;
  Place freed;
  Place noticed;  // the call that found it; unknown at the heap's end
};

constexpr const char* name_of(FaultKind kind) {
  constexpr const char* kNames[] = {"double free",     "invalid free", "free within a block",
                                    "free of size",    "overrun",      "underrun",
                                    "use after free",  "leak",         "block given out twice",
                                    "misaligned block"};
  return kNames[static_cast<size_t>(kind)];
}

// A line with the kind, the address and the size, and one for each place that is known.
template <class Output>
void write_fault(Output& out, const FaultReport& report) {
  out.text("mmt: ").text(name_of(report.kind));
  if (report.kind == FaultKind::kWrongSize) out.put(' ').decimal(report.given);
  if (report.at != nullptr) out.text(" at ").address(report.at);
  if (report.kind == FaultKind::kLeak) {
    out.text(": ").decimal(report.bytes).text(" bytes in ").decimal(report.blocks);
    out.text(" blocks, one");
  } else if (report.block != nullptr) {
    out.text(": block");
  }
  if (report.block != nullptr) {
    out.text(" at ").address(report.block).text(" of ").decimal(report.size).text(" bytes");
  }
  const auto add_place = [&](const char* what, const Place& place) {
    if (!place.is_known()) return;
    out.text("\nmmt:   ").text(what);
    write_place(out, place);
  };
  add_place("found in ", report.noticed);
  add_place("freed in ", report.freed);
  add_place("allocated in ", report.allocated);
  out.put('\n');
}

struct StderrReporter {
  void operator()(const FaultReport& report) const {
    TextOutput<4096> out(STDERR_FILENO);
    write_fault(out, report);
  }
};

}  // namespace mmt::layers
