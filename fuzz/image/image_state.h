// The reader of ELF images meets the memory of a process that lies about its headers and tables.
// The reader ends after some thousand reads, and finds what is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mmt::fuzz {

enum class ImageOpKind : uint8_t {
  kNew,      // the image as a linker makes it
  kWord,     // eight bytes anywhere are anything
  kHalf,     // two bytes
  kHeader,   // a field of the ELF header or of a program header
  kTable,    // an entry of the dynamic section, or a word of the hash table
  kEndless,  // what lies behind the image is a table without an end
  kCount,
};

// Any values are legal.
struct ImageOp {
  ImageOpKind kind = ImageOpKind::kNew;
  uint32_t which = 0;
  uint32_t amount = 0;
};

std::string describe(const ImageOp& op);

class ImageState {
 public:
  using Op = ImageOp;

  ImageState();

  // Each throws std::logic_error that says what does not hold.
  void apply(const Op& op);
  // Looks for a symbol that is there, and for one that is not.
  void check_invariants() const;
  void finish() const { check_invariants(); }

 private:
  void put(size_t at, size_t bytes, uint64_t value);
  // Makes the rest of the image what is behind it.
  void fill_from(size_t at);

  std::vector<unsigned char> bytes_;
  bool is_new_ = true;
  unsigned char behind_ = 0;  // every byte beyond the image; 0: nothing is there
};

}  // namespace mmt::fuzz
