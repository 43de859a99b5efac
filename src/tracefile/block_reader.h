#pragma once
// The blocks of a trace file, of which nothing is taken for granted. Throws std::runtime_error that
// names the file, the place and what is wrong there.
#include <cstdint>
#include <string>
#include <vector>

#include "tracefile/block.h"
#include "tracefile/index.h"

namespace mmt::tracefile {

class BlockReader {
 public:
  // Opens a file that can be read and begins as a trace does.
  // `name`: what it is called in errors; empty: its path.
  explicit BlockReader(const std::string& path, const std::string& name = "");
  ~BlockReader();
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  uint64_t place() const { return place_; }
  void go_to(uint64_t place) { place_ = place; }
  uint64_t size() const { return size_; }  // of the file

  // The next block's content, to which its checksum fits.
  BlockKind next(std::vector<uint8_t>& content);
  // The index that the file's last bytes name; false: there is none that could be right.
  bool find_index(Index& index);
  // Without: what can be found by reading on until the file ends or is damaged, as next() says.
  Index gather_index();

  [[noreturn]] void fail(uint64_t place, const std::string& what) const;

 private:
  // Gives as many of the bytes as the file has.
  size_t read(uint64_t place, void* to, size_t size) const;

  std::string path_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
  uint64_t place_ = kPreambleBytes;
};

}  // namespace mmt::tracefile
