#include "offload/cache_width.h"

#include <algorithm>

#include "offload/runtime.h"

namespace mmt::offload {
namespace {

// What the process's threads may keep beyond their first caches.
constexpr size_t kWideFloor = size_t{4} << 20;
// The same where they are thrifty, and their first caches hold next to nothing.
constexpr size_t kThriftyFloor = size_t{48} << 20;
constexpr size_t kWideShare = 8;  // of the memory in use

size_t bytes_beyond(const Client& client, SizeClass c) {
  return size_t{client.cache_limit(c) - client.first_limit(c)} * kClasses[c].size;
}

size_t share_of(const Client& client) {
  const size_t floor = client.thrifty ? kThriftyFloor : kWideFloor;
  const size_t all = floor + runtime.depot.in_use_bytes() / kWideShare;
  // Relaxed: a bound.
  return all / std::max(1u, runtime.holders.load(std::memory_order_relaxed));
}

}  // namespace

bool widen(Client& client, SizeClass c) {
  const uint32_t now = client.cache_limit(c);
  const uint32_t step = client.thrifty ? now : now / 2;
  const uint32_t wider = std::min(now + std::max(step, 2u), client.widest_limit(c));
  if (wider == now) return false;
  size_t beyond = size_t{wider - now} * kClasses[c].size;
  for (SizeClass other = 1; other < kClassCount; ++other) beyond += bytes_beyond(client, other);
  if (beyond > share_of(client)) return false;
  client.set_cache_limit(c, wider);
  return true;
}

void narrow(Client& client, SizeClass c) {
  if (client.cached(c) < client.first_limit(c)) client.set_cache_limit(c, client.first_limit(c));
}

}  // namespace mmt::offload
