#include "sim/check/checker.h"

#include <algorithm>

#include <fmt/format.h>

namespace mmt::sim {

void Checker::allocated(uint64_t event, Row, const Placed& placed) {
  if (placed.base != kNone) add(event, placed);
}

void Checker::freed(uint64_t event, Row, const Placed& placed) { remove(event, placed); }

void Checker::resized(uint64_t event, Row, const Placed& before, const Placed& now) {
  if (before.base == now.base && before.asked == now.asked && before.bytes == now.bytes) return;
  if (before.base != kNone) remove(event, before);
  if (now.base != kNone) add(event, now);
}

void Checker::add(uint64_t event, const Placed& placed) {
  const uint64_t header = model_.header_bytes();
  const Address start = placed.base - header;
  const uint64_t bytes = model_.chunk_bytes(placed.base, placed.asked);
  const Address end = start + bytes;
  if (placed.base < header || end > model_.end()) {
    throw Broken(event, fmt::format("{} lies outside of the heap", placed.at));
  }
  if (placed.base % model_.shape().granule != 0) {
    throw Broken(event,
                 fmt::format("{} is no multiple of {}", placed.base, model_.shape().granule));
  }
  if (placed.at + placed.bytes > end) {
    throw Broken(event, fmt::format("{} has less than {} bytes", placed.at, placed.bytes));
  }
  const auto next = live_.lower_bound(start);
  const bool overlaps = (next != live_.end() && next->first < end) ||
                        (next != live_.begin() && std::prev(next)->second.end > start);
  if (overlaps) throw Broken(event, fmt::format("{} overlaps a live block", placed.at));
  live_.emplace_hint(next, start, Block{end, placed.asked});
  live_bytes_ += bytes;
}

void Checker::remove(uint64_t event, const Placed& placed) {
  const auto found = live_.find(placed.base - model_.header_bytes());
  if (found == live_.end()) throw Broken(event, fmt::format("{} was not live", placed.at));
  live_bytes_ -= found->second.end - found->first;
  live_.erase(found);
}

uint64_t Checker::stepped(uint64_t event) {
  if (const char* what = model_.broken_invariant()) throw Broken(event, what);
  check_free_chunks(event);
  check_live(event);
  return event + every_;
}

void Checker::check_free_chunks(uint64_t event) const {
  std::vector<FreeChunk> chunks;
  model_.for_each_free([&](FreeChunk chunk) { chunks.push_back(chunk); });
  std::sort(chunks.begin(), chunks.end(), [](FreeChunk a, FreeChunk b) { return a.at < b.at; });
  uint64_t bytes = 0;
  uint64_t most = 0;
  auto next = live_.begin();
  Address end = 0;
  for (const FreeChunk& chunk : chunks) {
    for (; next != live_.end() && next->first < chunk.at; ++next) {
      end = std::max(end, next->second.end);
    }
    const bool meets_next = next != live_.end() && next->first < chunk.at + chunk.bytes;
    if (chunk.at < end || meets_next) {
      throw Broken(event, fmt::format("the free chunk {} overlaps another", chunk.at));
    }
    end = chunk.at + chunk.bytes;
    bytes += chunk.bytes;
    most = std::max<uint64_t>(most, chunk.bytes);
  }
  if (end > model_.end()) throw Broken(event, "a free chunk ends behind the heap");
  if (chunks.size() != model_.free_chunks()) {
    throw Broken(event, fmt::format("{} free chunks are counted as {}", chunks.size(),
                                    model_.free_chunks()));
  }
  if (bytes != model_.free_bytes()) {
    throw Broken(event, fmt::format("{} free bytes are counted as {}", bytes, model_.free_bytes()));
  }
  if (most != model_.largest_free()) {
    throw Broken(event, fmt::format("the largest free chunk has {} bytes and is told as {}", most,
                                    model_.largest_free()));
  }
  check_conserved(event, bytes);
}

// What lies before the first chunk, and less than a granule behind the last, is no chunk's.
void Checker::check_conserved(uint64_t event, uint64_t free_bytes) const {
  const uint64_t known = free_bytes + live_bytes_ + model_.uncut_bytes();
  if (known > model_.end()) {
    throw Broken(event, "free, live and uncut bytes are more than the heap has");
  }
  const uint64_t lost = model_.end() - known;
  const uint64_t before = model_.first() - model_.header_bytes();
  if (lost >= before + model_.shape().granule) {
    throw Broken(event, fmt::format("{} bytes are neither live nor free", lost));
  }
}

// The policy still knows each live chunk's size.
void Checker::check_live(uint64_t event) const {
  for (const auto& [start, block] : live_) {
    const Address owner = start + model_.header_bytes();
    if (start + model_.chunk_bytes(owner, block.asked) != block.end) {
      throw Broken(event, fmt::format("the size of the live block {} has changed", owner));
    }
  }
}

}  // namespace mmt::sim
