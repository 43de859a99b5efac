#include "tracefile/packing.h"

#include <zstd.h>

#include <new>

namespace mmt::tracefile {
namespace {

// Higher ones take more time than recording leaves, for a few percent.
constexpr int kLevel = 3;

}  // namespace

struct Packer::Context {
  ZSTD_CCtx* zstd = ZSTD_createCCtx();
  ~Context() { ZSTD_freeCCtx(zstd); }
};

Packer::Packer() : context_(std::make_unique<Context>()) {
  if (context_->zstd == nullptr) throw std::bad_alloc();
}
Packer::~Packer() = default;

void Packer::append(std::vector<uint8_t>& to, const uint8_t* column, size_t size) {
  append_varint(to, size);
  if (size == 0) return;
  std::vector<uint8_t> packed(ZSTD_compressBound(size));
  const size_t length =
      ZSTD_compressCCtx(context_->zstd, packed.data(), packed.size(), column, size, kLevel);
  if (ZSTD_isError(length) != 0) throw std::bad_alloc();  // nothing else can be wrong
  append_varint(to, length);
  to.insert(to.end(), packed.data(), packed.data() + length);
}

struct Unpacker::Context {
  ZSTD_DCtx* zstd = ZSTD_createDCtx();
  ~Context() { ZSTD_freeDCtx(zstd); }
};

Unpacker::Unpacker() : context_(std::make_unique<Context>()) {
  if (context_->zstd == nullptr) throw std::bad_alloc();
}
Unpacker::~Unpacker() = default;

bool Unpacker::take(VarintReader& from, size_t limit, std::vector<uint8_t>& column) {
  const uint64_t size = from.take();
  if (!from.is_whole() || size > limit) return false;
  column.resize(size);
  if (size == 0) return true;
  const std::string_view packed = from.take_bytes(from.take());
  if (!from.is_whole()) return false;
  return ZSTD_decompressDCtx(context_->zstd, column.data(), size, packed.data(), packed.size()) ==
         size;
}

}  // namespace mmt::tracefile
