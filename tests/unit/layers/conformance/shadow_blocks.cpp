#include "unit/layers/conformance/shadow_blocks.h"

#include <cstring>
#include <iterator>

#include <mmt/core/compiler.h>

namespace mmt::layers::conformance {
namespace {

// ThreadSanitizer says that its blocks for nothing have a byte, but not that it may be written.
size_t filled_bytes(const ShadowBlocks::Entry& entry) {
  return core::kThreadSanitizer && entry.asked == 0 ? 0 : entry.usable;
}

}  // namespace

void ShadowBlocks::fill(Entry& entry) {
  entry.value = ++next_value_;
  memset(entry.data, entry.value, filled_bytes(entry));
}

void ShadowBlocks::check(const Entry& entry, size_t bytes) const {
  if (bytes > filled_bytes(entry)) bytes = filled_bytes(entry);
  if (bytes == 0) return;
  const bool is_kept = static_cast<unsigned char>(*entry.data) == entry.value &&
                       memcmp(entry.data, entry.data + 1, bytes - 1) == 0;
  findings_.expect(is_kept, "block %p of %zu (usable %zu) bytes lost its contents",
                   static_cast<void*>(entry.data), entry.asked, entry.usable);
}

void ShadowBlocks::place(const Entry& entry) {
  const size_t bytes = entry.usable == 0 ? 1 : entry.usable;  // blocks differ in any case
  const auto after = by_address_.lower_bound(entry.data);
  if (after != by_address_.end()) {
    findings_.expect(entry.data + bytes <= after->first, "block %p of %zu bytes reaches into %p",
                     static_cast<void*>(entry.data), bytes, static_cast<const void*>(after->first));
  }
  if (after != by_address_.begin()) {
    const auto before = std::prev(after);
    findings_.expect(before->first + before->second <= entry.data,
                     "block %p lies in block %p of %zu bytes", static_cast<void*>(entry.data),
                     static_cast<const void*>(before->first), before->second);
  }
  by_address_[entry.data] = bytes;
}

void ShadowBlocks::add(void* block, size_t asked, size_t usable, bool is_plain) {
  Entry entry{static_cast<char*>(block), asked, usable, 0, is_plain};
  place(entry);
  // Contents of blocks that overlap are of no more worth, and memory beyond them may be anyone's.
  if (findings_.is_empty()) fill(entry);
  by_age_.push_back(entry);
}

ShadowBlocks::Entry ShadowBlocks::remove(size_t index) {
  const Entry entry = by_age_[index];
  if (findings_.is_empty()) check(entry, entry.usable);
  by_address_.erase(entry.data);
  by_age_.erase(by_age_.begin() + static_cast<std::ptrdiff_t>(index));
  return entry;
}

void ShadowBlocks::change(size_t index, void* block, size_t asked, size_t usable, size_t kept) {
  Entry& entry = by_age_[index];
  by_address_.erase(entry.data);
  if (kept > filled_bytes(entry)) kept = filled_bytes(entry);
  entry = {static_cast<char*>(block), asked, usable, entry.value, false};
  place(entry);
  if (!findings_.is_empty()) return;
  check(entry, kept);
  fill(entry);
}

void ShadowBlocks::check_contents() const {
  for (const Entry& entry : by_age_) check(entry, entry.usable);
}

size_t ShadowBlocks::bytes() const {
  size_t sum = 0;
  for (const Entry& entry : by_age_) sum += entry.usable;
  return sum;
}

}  // namespace mmt::layers::conformance
