#include "harden/heap_copy.h"

#include <algorithm>

#include <mmt/sys/pages.h>

namespace mmt::harden {

HeapCopy::~HeapCopy() {
  if (buffer_ != nullptr) budget_.unmap(buffer_, kBytes);
}

bool HeapCopy::open() {
  if (buffer_ == nullptr) buffer_ = static_cast<char*>(budget_.map_anywhere(kBytes));
  return buffer_ != nullptr;
}

const char* HeapCopy::of(const char* from, size_t bytes, const char* end) {
  if (from >= from_ && from + bytes <= from_ + bytes_) return buffer_ + (from - from_);
  const size_t wanted = end > from ? std::min(kBytes, static_cast<size_t>(end - from)) : 0;
  // Where not all can be read, what is wanted now may be.
  if (wanted > bytes && fresh(from, wanted) != nullptr) return buffer_;
  return fresh(from, bytes);
}

const char* HeapCopy::fresh(const char* from, size_t bytes) {
  bytes_ = 0;
  if (!open()) return nullptr;
  copied_ += bytes;
  if (!sys::copy_if_readable(buffer_, from, bytes)) return nullptr;
  from_ = from;
  bytes_ = bytes;
  return buffer_;
}

}  // namespace mmt::harden
