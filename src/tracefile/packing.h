#pragma once
// Columns of bytes, each compressed by zstd on its own: what lies in one column is alike.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tracefile/varint.h"

namespace mmt::tracefile {

class Packer {
 public:
  Packer();
  ~Packer();
  // Appends the length of the column, the length compressed, and the compressed bytes.
  void append(std::vector<uint8_t>& to, const uint8_t* column, size_t size);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

class Unpacker {
 public:
  Unpacker();
  ~Unpacker();
  // Takes a column that Packer appended; false: it is none, or longer than `limit`.
  bool take(VarintReader& from, size_t limit, std::vector<uint8_t>& column);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace mmt::tracefile
