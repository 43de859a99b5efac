// A text of another tool that grows line by line, right ones and crafted ones, plain or compressed,
// imported under a bound of memory. What is in the trace then can be read whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "driver/bounded_reading.h"

namespace mmt::fuzz {

enum class ImportOpKind : uint8_t {
  kCall,      // lines of the format, of small numbers
  kSite,      // lines that tell of call sites
  kNumber,    // a line of a large number
  kByte,      // of the text is another
  kLongLine,  // up to MiBs
  kAgain,     // the text so far once more, up to a limit
  kPack,      // the file is a zstd frame; or no longer
  kRepeat,    // and unpacks to its last line very often
  kCut,       // the file ends early
  kFormat,    // another format, and an empty text
  kImport,
  kCount,
};

// Any values are legal, and are reduced to what there is.
struct ImportOp {
  ImportOpKind kind = ImportOpKind::kImport;
  uint32_t which = 0;
  uint32_t amount = 0;
};

std::string describe(const ImportOp& op);

class ImportState {
 public:
  using Op = ImportOp;

  ImportState() { begin(0); }

  // Each throws std::logic_error that says what does not hold.
  void apply(const Op& op);
  void check_invariants() const {}
  // Imports what there is.
  void finish() { import(); }

 private:
  void begin(uint32_t format);
  void add_call(const Op& op);
  void add_site(const Op& op);
  void add_number(const Op& op);
  void change(const Op& op);
  std::string bytes() const;
  void import() const;

  std::string format_;
  std::string text_;
  std::string last_;       // line
  uint32_t repeated_ = 0;  // in the packed file
  uint32_t cut_ = 0;
  bool is_packed_ = false;
  MemoryFile from_;
  MemoryFile to_;
};

}  // namespace mmt::fuzz
