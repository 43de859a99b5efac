// vacation: a travel agency. Tables of cars, flights and rooms by number, and of customers with the
// list of what they reserved; clients reserve, leave, and change the offer, one transaction each.
// The check: of every offer used + free == total, and what is used is what customers hold.
//
// The comparator of a customer's list has a quirk in the paper's program: it subtracts unsigned
// types, so that two of different types always compare as "greater", and equal ones can be missed.
// It also loses the block of a reservation that is refused as equal. Quirk::kKept keeps both.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "stm/common/list.h"
#include "stm/common/rb_tree.h"
#include "stm/common/world.h"
#include "stm/stamp/result.h"

namespace mmt::workloads::stm::vacation {

struct Parameters {
  uint64_t queries;       // at most, of a transaction
  uint64_t percent_rows;  // that are asked for
  uint64_t percent_reserve;
  uint64_t rows;
  uint64_t transactions;
};

inline Parameters parameters_of(Size size) {
  return by_size<Parameters>(size, {4, 60, 90, 16384, 4096}, {4, 60, 90, 65536, 131072},
                             {4, 60, 90, 1048576, 4194304});
}

inline constexpr uint64_t kTypes = 3;

struct Offer {
  uint64_t number;
  int64_t used;
  int64_t free;
  int64_t total;
  int64_t price;
};
static_assert(sizeof(Offer) == 40);

struct Customer {
  uint64_t number;
  List* held;
};
static_assert(sizeof(Customer) == 16);

struct Held {
  uint64_t type;
  uint64_t number;
  int64_t price;
};
static_assert(sizeof(Held) == 24);

inline long compare_quirk(const void* left, const void* right) {
  const Held& a = *static_cast<const Held*>(left);
  const Held& b = *static_cast<const Held*>(right);
  if (a.type != b.type) return 1;
  return static_cast<long>(a.number) - static_cast<long>(b.number);
}

inline long compare_right(const void* left, const void* right) {
  const Held& a = *static_cast<const Held*>(left);
  const Held& b = *static_cast<const Held*>(right);
  if (a.type != b.type) return static_cast<long>(a.type) - static_cast<long>(b.type);
  return static_cast<long>(a.number) - static_cast<long>(b.number);
}

enum class Quirk : bool { kMended, kKept };

struct Agency {
  RbTree* offers[kTypes];
  RbTree* customers;
  Compare compare;
  bool loses_refused;
};

template <class Tx>
void free_offer(Tx& tx, Agency& agency, uint64_t type, Offer* offer) {
  rb_remove(tx, agency.offers[type], tx.read(offer->number));
  tx.free(offer, sizeof(Offer));
}

// More of an offer, or a new one; a price below 0 leaves the price.
template <class Tx>
bool add_offer(Tx& tx, Agency& agency, uint64_t type, uint64_t number, int64_t count,
               int64_t price) {
  Offer* const offer = static_cast<Offer*>(rb_find(tx, agency.offers[type], number));
  if (offer == nullptr) {
    if (count < 1 || price < 0) return false;
    Offer* const made = static_cast<Offer*>(tx.allocate(sizeof(Offer)));
    *made = {number, 0, count, count, price};
    rb_insert(tx, agency.offers[type], number, made);
    return true;
  }
  const int64_t free = tx.read(offer->free) + count;
  if (free < 0) return false;
  const int64_t total = tx.read(offer->total) + count;
  tx.write(offer->free, free);
  tx.write(offer->total, total);
  if (total == 0) {
    free_offer(tx, agency, type, offer);
  } else if (price >= 0) {
    tx.write(offer->price, price);
  }
  return true;
}

// The whole flight, unless somebody holds a seat.
template <class Tx>
bool delete_flight(Tx& tx, Agency& agency, uint64_t type, uint64_t number) {
  Offer* const offer = static_cast<Offer*>(rb_find(tx, agency.offers[type], number));
  if (offer == nullptr || tx.read(offer->used) > 0) return false;
  return add_offer(tx, agency, type, number, -tx.read(offer->total), -1);
}

template <class Tx>
bool add_customer(Tx& tx, Agency& agency, uint64_t number) {
  if (rb_find(tx, agency.customers, number) != nullptr) return false;
  Customer* const customer = static_cast<Customer*>(tx.allocate(sizeof(Customer)));
  *customer = {number, list_create(tx, agency.compare)};
  return rb_insert(tx, agency.customers, number, customer);
}

template <class Tx>
void take(Tx& tx, Offer* offer, int64_t count) {
  tx.write(offer->used, tx.read(offer->used) + count);
  tx.write(offer->free, tx.read(offer->free) - count);
}

template <class Tx>
bool reserve(Tx& tx, Agency& agency, uint64_t client, uint64_t type, uint64_t number) {
  Customer* const customer = static_cast<Customer*>(rb_find(tx, agency.customers, client));
  if (customer == nullptr) return false;
  Offer* const offer = static_cast<Offer*>(rb_find(tx, agency.offers[type], number));
  if (offer == nullptr || tx.read(offer->free) < 1) return false;
  take(tx, offer, 1);
  Held* const held = static_cast<Held*>(tx.allocate(sizeof(Held)));
  *held = {type, number, tx.read(offer->price)};
  if (list_insert(tx, tx.read(customer->held), held)) return true;
  if (!agency.loses_refused) tx.free(held, sizeof(Held));
  take(tx, offer, -1);
  return false;
}

template <class Tx>
bool delete_customer(Tx& tx, Agency& agency, uint64_t number) {
  Customer* const customer = static_cast<Customer*>(rb_find(tx, agency.customers, number));
  if (customer == nullptr) return false;
  List* const list = tx.read(customer->held);
  for (ListNode* node = tx.read(list->head.next); node != nullptr; node = tx.read(node->next)) {
    Held* const held = static_cast<Held*>(tx.read(node->data));
    const uint64_t type = tx.read(held->type);
    take(tx, static_cast<Offer*>(rb_find(tx, agency.offers[type], tx.read(held->number))), -1);
    tx.free(held, sizeof(Held));
  }
  rb_remove(tx, agency.customers, number);
  list_destroy(tx, list);
  tx.free(customer, sizeof(Customer));
  return true;
}

// What a client does next; all that is drawn, is drawn before the transaction.
struct Request {
  enum class Kind : uint8_t { kReserve, kLeave, kUpdate } kind;
  uint64_t customer = 0;
  uint64_t count = 0;
  uint64_t types[8];
  uint64_t numbers[8];
  int64_t prices[8];  // of an update; -1 takes the offer away
};

class Client {
 public:
  Client(uint32_t seed, const Parameters& asked)
      : random_(seed),
        asked_(asked),
        range_(static_cast<uint64_t>(static_cast<double>(asked.percent_rows) / 100.0 *
                                         static_cast<double>(asked.rows) +
                                     0.5)) {}

  Request next() {
    Request request{};
    const uint64_t kind = random_.below(100);
    if (kind < asked_.percent_reserve) {
      request.kind = Request::Kind::kReserve;
      request.count = random_.below(asked_.queries) + 1;
      request.customer = number();
      for (uint64_t i = 0; i < request.count; ++i) {
        request.types[i] = random_.below(kTypes);
        request.numbers[i] = number();
      }
    } else if (kind % 2 == 1) {
      request.kind = Request::Kind::kLeave;
      request.customer = number();
    } else {
      request.kind = Request::Kind::kUpdate;
      request.count = random_.below(asked_.queries) + 1;
      for (uint64_t i = 0; i < request.count; ++i) {
        request.types[i] = random_.below(kTypes);
        request.numbers[i] = number();
        const bool more = random_.below(2) == 1;
        request.prices[i] = more ? static_cast<int64_t>(random_.below(5) * 10 + 50) : -1;
      }
    }
    return request;
  }

 private:
  uint64_t number() { return random_.below(range_) + 1; }

  Random random_;
  const Parameters asked_;
  const uint64_t range_;
};

// Of each type the dearest of those that were asked for.
template <class Tx>
void do_reserve(Tx& tx, Agency& agency, const Request& request) {
  int64_t dearest[kTypes] = {-1, -1, -1};
  uint64_t numbers[kTypes] = {};
  bool any = false;
  for (uint64_t i = 0; i < request.count; ++i) {
    const uint64_t type = request.types[i];
    Offer* const offer = static_cast<Offer*>(rb_find(tx, agency.offers[type], request.numbers[i]));
    if (offer == nullptr || tx.read(offer->free) < 0) continue;
    const int64_t price = tx.read(offer->price);
    if (price <= dearest[type]) continue;
    dearest[type] = price;
    numbers[type] = request.numbers[i];
    any = true;
  }
  if (!any) return;
  add_customer(tx, agency, request.customer);
  for (uint64_t type = 0; type < kTypes; ++type) {
    if (numbers[type] != 0) reserve(tx, agency, request.customer, type, numbers[type]);
  }
}

template <class Tx>
void do_update(Tx& tx, Agency& agency, const Request& request) {
  constexpr uint64_t kFlight = 1;
  for (uint64_t i = 0; i < request.count; ++i) {
    const uint64_t type = request.types[i];
    if (request.prices[i] >= 0) {
      add_offer(tx, agency, type, request.numbers[i], 100, request.prices[i]);
    } else if (type == kFlight) {
      delete_flight(tx, agency, type, request.numbers[i]);
    } else {
      add_offer(tx, agency, type, request.numbers[i], -100, -1);
    }
  }
}

template <class Worker>
void work(Worker& worker, Agency& agency, const Parameters& asked, unsigned number,
          unsigned threads) {
  Client client(number, asked);
  const Share share(asked.transactions, number, threads);
  for (size_t i = share.begin; i < share.end; ++i) {
    const Request request = client.next();
    worker.run([&](auto& tx) {
      switch (request.kind) {
        case Request::Kind::kReserve:
          do_reserve(tx, agency, request);
          break;
        case Request::Kind::kLeave:
          delete_customer(tx, agency, request.customer);
          break;
        case Request::Kind::kUpdate:
          do_update(tx, agency, request);
          break;
      }
    });
  }
}

inline void fill(Agency& agency, const Parameters& asked) {
  Random random(0);
  Plain plain;
  std::vector<uint64_t> numbers(asked.rows);
  for (uint64_t i = 0; i < asked.rows; ++i) numbers[i] = i + 1;
  agency.customers = rb_create(plain);
  for (RbTree*& tree : agency.offers) tree = rb_create(plain);
  for (uint64_t table = 0; table <= kTypes; ++table) {
    for (uint64_t i = 0; i < asked.rows; ++i) {
      const uint64_t left = random.below(asked.rows);
      const uint64_t right = random.below(asked.rows);
      std::swap(numbers[left], numbers[right]);
    }
    for (uint64_t number : numbers) {
      const int64_t count = static_cast<int64_t>((random.below(5) + 1) * 100);
      const int64_t price = static_cast<int64_t>(random.below(5) * 10 + 50);
      if (table < kTypes) {
        add_offer(plain, agency, table, number, count, price);
      } else {
        add_customer(plain, agency, number);
      }
    }
  }
}

inline bool is_right(const Agency& agency) {
  int64_t used = 0;
  int64_t held = 0;
  bool right = rb_black_height(agency.customers->root) >= 0;
  for (const RbTree* tree : agency.offers) {
    right = right && rb_black_height(tree->root) >= 0;
    rb_visit(tree->root, [&](const RbNode& node) {
      const Offer& offer = *static_cast<const Offer*>(node.value);
      right = right && offer.used >= 0 && offer.free >= 0 && offer.number == node.key &&
              offer.used + offer.free == offer.total;
      used += offer.used;
    });
  }
  rb_visit(agency.customers->root, [&](const RbNode& node) {
    held += static_cast<const Customer*>(node.value)->held->size;
  });
  return right && used == held;
}

inline void empty(Agency& agency) {
  Plain plain;
  for (RbTree* tree : agency.offers) {
    rb_visit(tree->root, [&](const RbNode& node) { plain_free(node.value); });
    rb_destroy(plain, tree);
  }
  rb_visit(agency.customers->root, [&](const RbNode& node) {
    Customer* const customer = static_cast<Customer*>(node.value);
    for (ListNode* one = customer->held->head.next; one != nullptr; one = one->next) {
      plain_free(one->data);
    }
    list_destroy(plain, customer->held);
    plain_free(customer);
  });
  rb_destroy(plain, agency.customers);
}

template <class World, Quirk kQuirk>
Result run(World& world, Size size) {
  const Parameters asked = parameters_of(size);
  Agency agency{};
  agency.loses_refused = kQuirk == Quirk::kKept;
  agency.compare = kQuirk == Quirk::kKept ? compare_quirk : compare_right;
  fill(agency, asked);
  Stopwatch clock;
  world.parallel(
      [&](auto& worker, unsigned number) { work(worker, agency, asked, number, world.threads()); });
  Result result;
  result.seconds = clock.lap();
  result.right = is_right(agency);
  result.numbers = {{"transactions", asked.transactions}};
  empty(agency);
  return result;
}

}  // namespace mmt::workloads::stm::vacation
