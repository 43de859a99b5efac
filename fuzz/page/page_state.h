// The reader of statistics pages meets files that anybody may have written. The contents that the
// reader takes are added up and shown. Nothing of that wraps, is no number, or reaches a terminal.
#pragma once

#include <cstdint>
#include <string>

#include "cli/stats/process_tree.h"
#include "interprocess/stats_page.h"

namespace mmt::fuzz {

enum class PageOpKind : uint8_t {
  kNew,        // a page that a library could have written
  kFigure,     // one figure is anything
  kInherited,  // one of those that a fork's child began with
  kIdentity,   // whose page it is, and when it was made
  kHead,       // magic, version, number of figures
  kPeaks,
  kName,  // the program's
  kCut,   // the file is shorter
  kRead,  // it is read as it is
  kCount,
};

// Any values are legal.
struct PageOp {
  PageOpKind kind = PageOpKind::kRead;
  uint32_t which = 0;
  uint32_t amount = 0;
};

std::string describe(const PageOp& op);

class PageState {
 public:
  using Op = PageOp;

  PageState();

  // Each throws std::logic_error that says what does not hold.
  void apply(const Op& op);
  void check_invariants() const;
  // All that was taken is shown.
  void finish();

 private:
  void renew(const Op& op);
  void put_identity(const Op& op);
  void put_head(const Op& op);
  void read();

  observe::PageFile file_{};
  std::string name_;
  size_t size_ = sizeof(observe::PageFile);
  bool is_new_ = true;  // nothing has been changed since
  cli::ProcessTree tree_{true};
  uint64_t taken_ = 0;
};

}  // namespace mmt::fuzz
