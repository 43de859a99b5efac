// Top heap: whole mappings of their own, each with its length in 16 bytes before the block. Memory
// is zero-filled, and goes back to the system when it is freed. Blocks that are in use when the
// heap ends stay mapped. Any thread may call it.
#pragma once

#include <sys/mman.h>

#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/kept_errno.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/system_pages.h>

namespace mmt::layers {

template <class Pages = SystemPages>
class BasicMmapHeap {
 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kSharedSizes = true;
  static constexpr size_t kPage = 4096;  // and its multiples

  void* malloc(size_t bytes) { return allocate(bytes, kAlignment).data; }

  void free(void* block) {
    const Header& header = header_of(block);
    const core::KeptErrno kept_errno;
    Pages::unmap(static_cast<char*>(block) - header.before, header.length);
  }

  size_t get_size(const void* block) const {
    const Header& header = header_of(block);
    return header.length - header.before;
  }
  size_t good_size(size_t bytes) const {
    if (bytes > kMaxRequest) return 0;
    return core::align_up(bytes + sizeof(Header), kPage) - sizeof(Header);
  }

  // Moves pages about rather than to copy: null leaves the block as it was.
  void* remap(void* block, size_t bytes) {
    const Header header = header_of(block);
    if (bytes > kMaxRequest) return nullptr;
    const size_t length = core::align_up(header.before + bytes, kPage);
    if (length == header.length) return block;
    void* at = Pages::resize(static_cast<char*>(block) - header.before, header.length, length,
                             header.before == sizeof(Header) ? MREMAP_MAYMOVE : 0);
    if (at == nullptr) return nullptr;
    char* moved = static_cast<char*>(at) + header.before;
    header_of(moved).length = length;
    return moved;
  }

  Block allocate(size_t bytes, size_t alignment) {
    if (bytes > kMaxRequest || alignment > kMaxRequest - bytes) return {};
    if (bytes == 0) bytes = 1;  // so that the block lies within its mapping
    // Room to move the block to its alignment; whole pages before and behind go back at once.
    const size_t room = alignment > sizeof(Header) ? alignment : 0;
    const size_t length = core::align_up(sizeof(Header) + bytes + room, kPage);
    void* mapped = Pages::map(nullptr, length, PROT_READ | PROT_WRITE);
    if (mapped == nullptr) return {};
    const auto begin = reinterpret_cast<uintptr_t>(mapped);
    const uintptr_t block = core::align_up(begin + sizeof(Header), alignment);
    const uintptr_t first = core::align_down(block - sizeof(Header), kPage);
    const uintptr_t last = core::align_up(block + bytes, kPage);
    if (first != begin) Pages::unmap(mapped, first - begin);
    if (last != begin + length) Pages::unmap(reinterpret_cast<void*>(last), begin + length - last);
    void* data = reinterpret_cast<void*>(block);
    header_of(data) = {last - first, block - first};
    return {data, last - block};
  }

 private:
  struct Header {
    size_t length;  // of the mapping
    size_t before;  // from its first byte to the block
  };
  static_assert(sizeof(Header) % kBlockAlignment == 0);

  static Header& header_of(const void* block) {
    return static_cast<Header*>(const_cast<void*>(block))[-1];
  }
};

using MmapHeap = BasicMmapHeap<>;

}  // namespace mmt::layers
