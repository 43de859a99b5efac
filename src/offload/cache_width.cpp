#include "offload/cache_width.h"

#include <algorithm>

#include "offload/runtime.h"

namespace mmt::offload {
namespace {

// What the process's threads may keep beyond their first caches.
constexpr size_t kWideFloor = size_t{4} << 20;
constexpr size_t kWideShare = 8;  // of the memory in use

size_t bytes_beyond(const Client& client, SizeClass c) {
  return size_t{client.cache_limit(c) - kClasses[c].cache_limit} * kClasses[c].size;
}

size_t share_of_a_thread() {
  const size_t all = kWideFloor + runtime.depot.in_use_bytes() / kWideShare;
  return all / std::max(1u, runtime.clients.count());
}

}  // namespace

bool widen(Client& client, SizeClass c) {
  const uint32_t now = client.cache_limit(c);
  const uint32_t wider = std::min(now + std::max(now / 2, 2u), kClasses[c].widest_cache);
  if (wider == now) return false;
  size_t beyond = size_t{wider - now} * kClasses[c].size;
  for (SizeClass other = 1; other < kClassCount; ++other) beyond += bytes_beyond(client, other);
  if (beyond > share_of_a_thread()) return false;
  client.set_cache_limit(c, wider);
  return true;
}

void narrow(Client& client, SizeClass c) {
  if (client.cached(c) < kClasses[c].cache_limit)
    client.set_cache_limit(c, kClasses[c].cache_limit);
}

}  // namespace mmt::offload
