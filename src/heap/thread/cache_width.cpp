#include "heap/thread/cache_width.h"

#include <algorithm>

#include "heap/object/heap.h"

namespace mmt::heap {
namespace {

// What the process's threads may keep beyond their first caches.
constexpr size_t kWideFloor = size_t{4} << 20;
// The same where they are thrifty, and their first caches hold next to nothing.
// More of them, each with a client and first caches, keep the less together.
constexpr size_t kThriftyFloor = size_t{8} << 20;
constexpr uint32_t kThriftyHolders = 128;
constexpr size_t kThriftyShare = 32;
constexpr size_t kWideShare = 8;  // of the memory in use

size_t bytes_beyond(const Client& client, SizeClass c) {
  return size_t{client.cache_limit(c) - client.first_limit(c)} * kClasses[c].size;
}

size_t share_of(const Client& client) {
  Heap& heap = *client.heap;
  // Relaxed: a bound.
  const uint32_t holders = std::max(1u, heap.holders.load(std::memory_order_relaxed));
  const size_t in_use = heap.depot.runs().in_use_bytes();
  if (!client.thrifty) return (kWideFloor + in_use / kWideShare) / holders;
  const size_t most = kThriftyFloor / std::max(holders, kThriftyHolders) * kThriftyHolders;
  return (most + in_use / kThriftyShare) / holders;
}

// Counts what a thrifty client's caches may hold beyond their first size. False: all thrifty
// clients together have what they may have; earlier ones had larger shares.
bool count_widened(Client& client, size_t beyond) {
  Heap& heap = *client.heap;
  const size_t more = beyond - client.widened;  // may wrap round: what was dropped goes back
  // Relaxed: a bound.
  const size_t all = heap.widened.load(std::memory_order_relaxed) + more;
  const size_t most = kThriftyFloor + heap.depot.runs().in_use_bytes() / kThriftyShare;
  if (beyond > client.widened && all > most) return false;
  heap.widened.fetch_add(more, std::memory_order_relaxed);
  client.widened = beyond;
  return true;
}

}  // namespace

bool widen(Client& client, SizeClass c) {
  const uint32_t now = client.cache_limit(c);
  const uint32_t step = client.thrifty ? std::max(now, 1u) : std::max(now / 2, 2u);
  const uint32_t wider = std::min(now + step, client.widest_limit(c));
  if (wider <= now) return false;
  size_t beyond = size_t{wider - now} * kClasses[c].size;
  for (SizeClass other = 1; other < kClassCount; ++other) beyond += bytes_beyond(client, other);
  if (beyond > share_of(client)) return false;
  if (client.thrifty && !count_widened(client, beyond)) return false;
  client.set_cache_limit(c, wider);
  return true;
}

void narrow(Client& client, SizeClass c) {
  if (client.cached(c) < client.first_limit(c)) client.set_cache_limit(c, client.first_limit(c));
}

}  // namespace mmt::heap
