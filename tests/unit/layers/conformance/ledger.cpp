#include "unit/layers/conformance/ledger.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

#include <mmt/core/checked.h>

#include "unit/layers/conformance/fault_plan.h"

namespace mmt::layers::conformance {
namespace {

constexpr size_t kGuard = 64;
constexpr unsigned char kGuardByte = 0xb7;
constexpr unsigned char kFreshByte = 0xa5;
constexpr unsigned char kFreedByte = 0xdd;
constexpr size_t kMostWaiting = size_t{1} << 20;

struct Entry {
  char* block;
  char* mapped;  // from where the guard in front begins
  Ledger::Request request;
  size_t room() const { return static_cast<size_t>(block - mapped) + request.usable + kGuard; }
};

struct Books {
  std::mutex mutex;
  std::map<const char*, Entry> live;
  std::deque<Entry> waiting;
  size_t waiting_bytes = 0;
  LedgerTotals totals;
  std::string complaints;

  void complain(const char* what, const void* block, size_t size) {
    char line[160];
    snprintf(line, sizeof line, "%s: block %p of %zu bytes\n", what, block, size);
    if (complaints.size() < 2000) complaints += line;
  }
};

Books& books() {
  static Books all;
  return all;
}

bool is_filled(const char* from, size_t bytes, unsigned char value) {
  if (bytes == 0) return true;
  return static_cast<unsigned char>(*from) == value && memcmp(from, from + 1, bytes - 1) == 0;
}

void check_guards(Books& all, const Entry& entry) {
  const auto before = static_cast<size_t>(entry.block - entry.mapped);
  const size_t usable = entry.request.usable;
  if (!is_filled(entry.mapped, before, kGuardByte)) {
    all.complain("written before its begin", entry.block, entry.request.asked);
  }
  if (!is_filled(entry.block + usable, kGuard, kGuardByte)) {
    all.complain("written behind its end", entry.block, entry.request.asked);
  }
}

void end_waiting(Books& all) {
  const Entry entry = all.waiting.front();
  all.waiting.pop_front();
  all.waiting_bytes -= entry.room();
  check_guards(all, entry);
  if (!is_filled(entry.block, entry.request.usable, kFreedByte)) {
    all.complain("written after it was freed", entry.block, entry.request.asked);
  }
  ::free(entry.mapped);
}

void retire(Books& all, std::map<const char*, Entry>::iterator at) {
  const Entry entry = at->second;
  all.live.erase(at);
  check_guards(all, entry);
  memset(entry.block, kFreedByte, entry.request.usable);
  --all.totals.live_blocks;
  all.totals.live_bytes -= entry.request.usable;
  ++all.totals.frees;
  all.waiting.push_back(entry);
  all.waiting_bytes += entry.room();
  while (all.waiting_bytes > kMostWaiting) end_waiting(all);
}

const Entry* entry_at(Books& all, const void* source, const void* address) {
  auto after = all.live.upper_bound(static_cast<const char*>(address));
  if (after == all.live.begin()) return nullptr;
  const Entry& entry = std::prev(after)->second;
  const bool is_within = address < entry.block + entry.request.usable || address == entry.block;
  return is_within && entry.request.source == source ? &entry : nullptr;
}

}  // namespace

void* Ledger::give(const Request& request) {
  Books& all = books();
  const std::lock_guard lock(all.mutex);
  ++all.totals.requests;
  if (call_fails() || request.usable > kMostBytes || request.alignment > kMostBytes) return nullptr;
  const size_t alignment = request.alignment > kGuard ? request.alignment : kGuard;
  const size_t before = alignment + request.skew;
  void* mapped = nullptr;
  if (posix_memalign(&mapped, alignment, before + request.usable + kGuard) != 0) return nullptr;
  auto* const begin = static_cast<char*>(mapped);
  const Entry entry{begin + before, begin, request};
  memset(begin, kGuardByte, before);
  memset(entry.block, kFreshByte, request.usable);
  memset(entry.block + request.usable, kGuardByte, kGuard);
  all.live.emplace(entry.block, entry);
  ++all.totals.live_blocks;
  all.totals.live_bytes += request.usable;
  if (all.totals.live_bytes > all.totals.peak_bytes) all.totals.peak_bytes = all.totals.live_bytes;
  return entry.block;
}

void Ledger::take_back(const void* source, void* block, size_t asked) {
  Books& all = books();
  const std::lock_guard lock(all.mutex);
  const auto at = all.live.find(static_cast<const char*>(block));
  if (at == all.live.end()) return all.complain("freed, but not in use", block, asked);
  const Entry& entry = at->second;
  if (entry.request.source != source) {
    return all.complain("freed to another source", block, entry.request.asked);
  }
  if (asked != kUnsaid && asked != entry.request.asked) {
    all.complain("freed with a wrong size", block, asked);
  }
  retire(all, at);
}

void Ledger::take_back_all(const void* source) {
  Books& all = books();
  const std::lock_guard lock(all.mutex);
  for (auto at = all.live.begin(); at != all.live.end();) {
    const auto next = std::next(at);
    if (at->second.request.source == source) retire(all, at);
    at = next;
  }
}

size_t Ledger::usable_size(const void* source, const void* block) {
  Books& all = books();
  const std::lock_guard lock(all.mutex);
  const Entry* entry = entry_at(all, source, block);
  if (entry != nullptr && entry->block == block) return entry->request.usable;
  all.complain("asked for its size, but not in use", block, 0);
  return 0;
}

bool Ledger::has(const void* source, const void* address) {
  Books& all = books();
  const std::lock_guard lock(all.mutex);
  return entry_at(all, source, address) != nullptr;
}

LedgerTotals Ledger::totals() {
  const std::lock_guard lock(books().mutex);
  return books().totals;
}

void Ledger::reset() {
  Books& all = books();
  const std::lock_guard lock(all.mutex);
  for (const auto& [address, entry] : all.live) ::free(entry.mapped);
  for (const Entry& entry : all.waiting) ::free(entry.mapped);
  all.live.clear();
  all.waiting.clear();
  all.waiting_bytes = 0;
  all.totals = {};
  all.complaints.clear();
}

void Ledger::complain(const char* what, const void* block) {
  const std::lock_guard lock(books().mutex);
  books().complain(what, block, 0);
}

std::string Ledger::complaints() {
  Books& all = books();
  const std::lock_guard lock(all.mutex);
  for (const auto& [address, entry] : all.live) check_guards(all, entry);
  while (!all.waiting.empty()) end_waiting(all);
  return all.complaints;
}

}  // namespace mmt::layers::conformance
