// vacation: a travel agency. It has tables of cars, flights and rooms by number, and of customers
// with the list of what they reserved. Clients reserve, leave, and change the offer, one
// transaction each. The check: vacation/check.h.
#pragma once

#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "stm/common/rb_tree.h"
#include "stm/common/world.h"
#include "stm/stamp/result.h"
#include "stm/stamp/vacation/agency.h"
#include "stm/stamp/vacation/check.h"
#include "stm/stamp/vacation/refused.h"
#include "stm/stamp/vacation/requests.h"

namespace mmt::workloads::stm::vacation {

// A client, with its generator.
struct Client {
  Agency* agency;
  Random* random;
  Parameters asked;
};

inline Client* client_create(Agency& agency, uint32_t seed, const Parameters& asked) {
  Client* const client = static_cast<Client*>(plain_allocate(sizeof(Client)));
  Random* const random = ::new (plain_allocate(sizeof(Random))) Random(seed);
  return ::new (client) Client{&agency, random, asked};
}

inline void client_destroy(Client* client) {
  plain_free(client->random);
  plain_free(client);
}

// This reserves the dearest of those that were asked for, one of each type.
template <class Tx>
Change do_reserve(Tx& tx, Agency& agency, const Request& request) {
  int64_t dearest[kTypes] = {-1, -1, -1};
  uint64_t numbers[kTypes] = {};
  bool any = false;
  for (uint64_t i = 0; i < request.count; ++i) {
    const uint64_t type = request.types[i];
    Offer* const offer =
        static_cast<Offer*>(rb_find(tx, agency.tables->offers[type], request.numbers[i]));
    if (offer == nullptr || tx.read(offer->free) < 0) continue;
    const int64_t price = tx.read(offer->price);
    if (price <= dearest[type]) continue;
    dearest[type] = price;
    numbers[type] = request.numbers[i];
    any = true;
  }
  Change change;
  if (!any) return change;
  add_customer(tx, agency, request.customer);
  for (uint64_t type = 0; type < kTypes; ++type) {
    if (numbers[type] == 0) continue;
    change.add(reserve(tx, agency, request.customer, type, numbers[type]));
  }
  return change;
}

template <class Tx>
void do_update(Tx& tx, Agency& agency, const Request& request) {
  constexpr uint64_t kFlight = 1;
  for (uint64_t i = 0; i < request.count; ++i) {
    const uint64_t type = request.types[i];
    if (request.adds[i] != 0) {
      add_offer(tx, agency, type, request.numbers[i], 100, request.prices[i]);
    } else if (type == kFlight) {
      delete_flight(tx, agency, type, request.numbers[i]);
    } else {
      add_offer(tx, agency, type, request.numbers[i], -100, -1);
    }
  }
}

template <class Worker>
Change work(Worker& worker, Client& client, const Share& share) {
  Change all;
  Agency& agency = *client.agency;
  Requests requests(client.asked.queries);
  for (size_t i = share.begin; i < share.end; ++i) {
    const Request& request = requests.next(*client.random, client.asked);
    all.add(worker.run([&](auto& tx) -> Change {
      if (request.kind == Request::Kind::kReserve) return do_reserve(tx, agency, request);
      if (request.kind == Request::Kind::kLeave)
        return delete_customer(tx, agency, request.customer);
      do_update(tx, agency, request);
      return {};
    }));
  }
  return all;
}

inline Agency make_agency(Quirk quirk, const Parameters& asked) {
  Plain plain;
  Agency agency{};
  agency.loses_refused = quirk == Quirk::kKept;
  agency.compare = quirk == Quirk::kKept ? compare_quirk : compare_right;
  agency.tables = static_cast<Tables*>(plain_allocate(sizeof(Tables)));
  agency.tables->customers = rb_create(plain);
  for (RbTree*& tree : agency.tables->offers) tree = rb_create(plain);
  visit_rows(asked, [&](uint64_t table, uint64_t number, int64_t count, int64_t price) {
    if (table < kTypes) {
      add_offer(plain, agency, table, number, count, price);
    } else {
      add_customer(plain, agency, number);
    }
  });
  return agency;
}

template <class World, Quirk kQuirk>
Result run(World& world, Size size) {
  const Parameters asked = parameters_of(size);
  Agency agency = make_agency(kQuirk, asked);
  const unsigned threads = world.threads();
  Client** const clients = static_cast<Client**>(plain_allocate(threads * sizeof(Client*)));
  for (unsigned number = 0; number < threads; ++number) {
    clients[number] = client_create(agency, number, asked);
  }
  std::vector<Change> changes(threads);
  Stopwatch clock;
  world.parallel([&](auto& worker, unsigned number) {
    changes[number] = work(worker, *clients[number], Share(asked.transactions, number, threads));
  });
  Result result;
  result.seconds = clock.lap();
  for (unsigned number = 0; number < threads; ++number) client_destroy(clients[number]);
  plain_free(clients);
  Change all;
  for (const Change& one : changes) all.add(one);
  result.right = is_right(agency, asked, threads, all.held);
  result.numbers = {{"requests", asked.transactions}, {kRefused, all.refused}};
  empty(agency);
  return result;
}

}  // namespace mmt::workloads::stm::vacation
