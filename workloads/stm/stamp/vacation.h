// vacation: a travel agency. Tables of cars, flights and rooms by number, and of customers with the
// list of what they reserved; clients reserve, leave, and change the offer, one transaction each.
// The check: of every offer used + free == total, and what is used is what customers hold.
//
// The comparator of a customer's list has a quirk in the paper's program: it subtracts unsigned
// types, so that two of different types always compare as "greater", and equal ones can be missed.
// It also loses the block of a reservation that is refused as equal. Quirk::kKept keeps both.
#pragma once

#include <cstdint>
#include <new>
#include <utility>

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

  uint64_t asked_rows() const {
    return static_cast<uint64_t>(
        static_cast<double>(percent_rows) / 100.0 * static_cast<double>(rows) + 0.5);
  }
};

inline Parameters parameters_of(Size size) {
  Parameters asked = by_size<Parameters>(size, {4, 60, 90, 16384, 4096}, {4, 60, 90, 65536, 131072},
                                         {4, 60, 90, 1048576, 4194304});
  if (is_low(size)) {
    asked.queries = 2;
    asked.percent_rows = 90;
    asked.percent_reserve = 98;
  }
  return asked;
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

struct Tables {
  RbTree* offers[kTypes];
  RbTree* customers;
};
static_assert(sizeof(Tables) == 32);

struct Agency {
  Tables* tables;
  Compare compare;
  bool loses_refused;
};

template <class Tx>
void free_offer(Tx& tx, Agency& agency, uint64_t type, Offer* offer) {
  rb_remove(tx, agency.tables->offers[type], tx.read(offer->number));
  tx.free(offer, sizeof(Offer));
}

// More of an offer, or a new one; a price below 0 leaves the price.
template <class Tx>
bool add_offer(Tx& tx, Agency& agency, uint64_t type, uint64_t number, int64_t count,
               int64_t price) {
  Offer* const offer = static_cast<Offer*>(rb_find(tx, agency.tables->offers[type], number));
  if (offer == nullptr) {
    if (count < 1 || price < 0) return false;
    Offer* const made = static_cast<Offer*>(tx.allocate(sizeof(Offer)));
    *made = {number, 0, count, count, price};
    rb_insert(tx, agency.tables->offers[type], number, made);
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
  Offer* const offer = static_cast<Offer*>(rb_find(tx, agency.tables->offers[type], number));
  if (offer == nullptr || tx.read(offer->used) > 0) return false;
  return add_offer(tx, agency, type, number, -tx.read(offer->total), -1);
}

template <class Tx>
bool add_customer(Tx& tx, Agency& agency, uint64_t number) {
  if (rb_find(tx, agency.tables->customers, number) != nullptr) return false;
  Customer* const customer = static_cast<Customer*>(tx.allocate(sizeof(Customer)));
  *customer = {number, list_create(tx, agency.compare)};
  return rb_insert(tx, agency.tables->customers, number, customer);
}

template <class Tx>
void take(Tx& tx, Offer* offer, int64_t count) {
  tx.write(offer->used, tx.read(offer->used) + count);
  tx.write(offer->free, tx.read(offer->free) - count);
}

template <class Tx>
bool reserve(Tx& tx, Agency& agency, uint64_t client, uint64_t type, uint64_t number) {
  Customer* const customer = static_cast<Customer*>(rb_find(tx, agency.tables->customers, client));
  if (customer == nullptr) return false;
  Offer* const offer = static_cast<Offer*>(rb_find(tx, agency.tables->offers[type], number));
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
  Customer* const customer = static_cast<Customer*>(rb_find(tx, agency.tables->customers, number));
  if (customer == nullptr) return false;
  List* const list = tx.read(customer->held);
  for (ListNode* node = tx.read(list->head.next); node != nullptr; node = tx.read(node->next)) {
    Held* const held = static_cast<Held*>(tx.read(node->data));
    const uint64_t type = tx.read(held->type);
    take(tx, static_cast<Offer*>(rb_find(tx, agency.tables->offers[type], tx.read(held->number))),
         -1);
    tx.free(held, sizeof(Held));
  }
  rb_remove(tx, agency.tables->customers, number);
  list_destroy(tx, list);
  tx.free(customer, sizeof(Customer));
  return true;
}

// What a client does next; all that is drawn, is drawn before the transaction. The arrays have an
// entry for each query that there may be.
struct Request {
  enum class Kind : uint8_t { kReserve, kLeave, kUpdate } kind;
  uint64_t customer;
  uint64_t count;
  uint64_t* types;
  uint64_t* numbers;
  uint64_t* adds;  // of an update: 0 takes the offer away
  int64_t* prices;
};

class Requests {
 public:
  explicit Requests(uint64_t queries) {
    const size_t bytes = queries * sizeof(uint64_t);
    request_.types = static_cast<uint64_t*>(plain_allocate(bytes));
    request_.numbers = static_cast<uint64_t*>(plain_allocate(bytes));
    request_.adds = static_cast<uint64_t*>(plain_allocate(bytes));
    request_.prices = static_cast<int64_t*>(plain_allocate(bytes));
  }
  ~Requests() {
    plain_free(request_.types);
    plain_free(request_.numbers);
    plain_free(request_.adds);
    plain_free(request_.prices);
  }
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  // Of the client's generator; valid until the next.
  const Request& next(Random& random, const Parameters& asked) {
    const auto number = [&] { return random.below(asked.asked_rows()) + 1; };
    const uint64_t kind = random.below(100);
    request_.count = 0;
    if (kind < asked.percent_reserve) {
      request_.kind = Request::Kind::kReserve;
      request_.count = random.below(asked.queries) + 1;
      request_.customer = number();
      for (uint64_t i = 0; i < request_.count; ++i) {
        request_.types[i] = random.below(kTypes);
        request_.numbers[i] = number();
      }
    } else if (kind % 2 == 1) {
      request_.kind = Request::Kind::kLeave;
      request_.customer = number();
    } else {
      request_.kind = Request::Kind::kUpdate;
      request_.count = random.below(asked.queries) + 1;
      for (uint64_t i = 0; i < request_.count; ++i) {
        request_.types[i] = random.below(kTypes);
        request_.numbers[i] = number();
        request_.adds[i] = random.below(2);
        if (request_.adds[i] == 1) {
          request_.prices[i] = static_cast<int64_t>(random.below(5) * 10 + 50);
        }
      }
    }
    return request_;
  }

 private:
  Request request_{};
};

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

// Of each type the dearest of those that were asked for.
template <class Tx>
void do_reserve(Tx& tx, Agency& agency, const Request& request) {
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
void work(Worker& worker, Client& client, const Share& share) {
  Agency& agency = *client.agency;
  Requests requests(client.asked.queries);
  for (size_t i = share.begin; i < share.end; ++i) {
    const Request& request = requests.next(*client.random, client.asked);
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
  Plain plain;
  Random& random = *::new (plain_allocate(sizeof(Random))) Random(0);
  agency.tables = static_cast<Tables*>(plain_allocate(sizeof(Tables)));
  uint64_t* const numbers = static_cast<uint64_t*>(plain_allocate(asked.rows * sizeof(uint64_t)));
  for (uint64_t i = 0; i < asked.rows; ++i) numbers[i] = i + 1;
  agency.tables->customers = rb_create(plain);
  for (RbTree*& tree : agency.tables->offers) tree = rb_create(plain);
  for (uint64_t table = 0; table <= kTypes; ++table) {
    for (uint64_t i = 0; i < asked.rows; ++i) {
      const uint64_t left = random.below(asked.rows);
      const uint64_t right = random.below(asked.rows);
      std::swap(numbers[left], numbers[right]);
    }
    for (uint64_t row = 0; row < asked.rows; ++row) {
      const uint64_t number = numbers[row];
      const int64_t count = static_cast<int64_t>((random.below(5) + 1) * 100);
      const int64_t price = static_cast<int64_t>(random.below(5) * 10 + 50);
      if (table < kTypes) {
        add_offer(plain, agency, table, number, count, price);
      } else {
        add_customer(plain, agency, number);
      }
    }
  }
  plain_free(numbers);
  plain_free(&random);
}

inline bool is_right(const Agency& agency) {
  int64_t used = 0;
  int64_t held = 0;
  bool right = rb_black_height(agency.tables->customers->root) >= 0;
  for (const RbTree* tree : agency.tables->offers) {
    right = right && rb_black_height(tree->root) >= 0;
    rb_visit(tree->root, [&](const RbNode& node) {
      const Offer& offer = *static_cast<const Offer*>(node.value);
      right = right && offer.used >= 0 && offer.free >= 0 && offer.number == node.key &&
              offer.used + offer.free == offer.total;
      used += offer.used;
    });
  }
  rb_visit(agency.tables->customers->root, [&](const RbNode& node) {
    held += static_cast<const Customer*>(node.value)->held->size;
  });
  return right && used == held;
}

inline void empty(Agency& agency) {
  Plain plain;
  for (RbTree* tree : agency.tables->offers) {
    rb_visit(tree->root, [&](const RbNode& node) { plain_free(node.value); });
    rb_destroy(plain, tree);
  }
  rb_visit(agency.tables->customers->root, [&](const RbNode& node) {
    Customer* const customer = static_cast<Customer*>(node.value);
    for (ListNode* one = customer->held->head.next; one != nullptr; one = one->next) {
      plain_free(one->data);
    }
    list_destroy(plain, customer->held);
    plain_free(customer);
  });
  rb_destroy(plain, agency.tables->customers);
  plain_free(agency.tables);
}

template <class World, Quirk kQuirk>
Result run(World& world, Size size) {
  const Parameters asked = parameters_of(size);
  Agency agency{};
  agency.loses_refused = kQuirk == Quirk::kKept;
  agency.compare = kQuirk == Quirk::kKept ? compare_quirk : compare_right;
  fill(agency, asked);
  const unsigned threads = world.threads();
  Client** const clients = static_cast<Client**>(plain_allocate(threads * sizeof(Client*)));
  for (unsigned number = 0; number < threads; ++number) {
    clients[number] = client_create(agency, number, asked);
  }
  Stopwatch clock;
  world.parallel([&](auto& worker, unsigned number) {
    work(worker, *clients[number], Share(asked.transactions, number, threads));
  });
  Result result;
  result.seconds = clock.lap();
  for (unsigned number = 0; number < threads; ++number) client_destroy(clients[number]);
  plain_free(clients);
  result.right = is_right(agency);
  result.numbers = {{"transactions", asked.transactions}};
  empty(agency);
  return result;
}

}  // namespace mmt::workloads::stm::vacation
