// These are the tables of offers by number, and of customers with the list of what they hold. The
// functions are what transactions do to one of them.
//
// The comparator of a customer's list has a quirk in the paper's program. It subtracts unsigned
// types, so that two of different types always compare as "greater", and equal ones can be missed.
// The program also loses the block of a reservation that is refused as equal. Quirk::kKept keeps
// both.
#pragma once

#include <cstdint>

#include "stm/common/list.h"
#include "stm/common/rb_tree.h"
#include "stm/common/world.h"

namespace mmt::workloads::stm::vacation {

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

// What a transaction made of reservations.
struct Change {
  int64_t held = 0;      // more than before
  uint64_t refused = 0;  // whose block was freed

  void add(const Change& other) {
    held += other.held;
    refused += other.refused;
  }
};

template <class Tx>
Change reserve(Tx& tx, Agency& agency, uint64_t client, uint64_t type, uint64_t number) {
  Customer* const customer = static_cast<Customer*>(rb_find(tx, agency.tables->customers, client));
  if (customer == nullptr) return {};
  Offer* const offer = static_cast<Offer*>(rb_find(tx, agency.tables->offers[type], number));
  if (offer == nullptr || tx.read(offer->free) < 1) return {};
  take(tx, offer, 1);
  Held* const held = static_cast<Held*>(tx.allocate(sizeof(Held)));
  *held = {type, number, tx.read(offer->price)};
  if (list_insert(tx, tx.read(customer->held), held)) return {1, 0};
  take(tx, offer, -1);
  if (agency.loses_refused) return {};
  tx.free(held, sizeof(Held));
  return {0, 1};
}

template <class Tx>
Change delete_customer(Tx& tx, Agency& agency, uint64_t number) {
  Customer* const customer = static_cast<Customer*>(rb_find(tx, agency.tables->customers, number));
  if (customer == nullptr) return {};
  Change change;
  List* const list = tx.read(customer->held);
  for (ListNode* node = tx.read(list->head.next); node != nullptr; node = tx.read(node->next)) {
    Held* const held = static_cast<Held*>(tx.read(node->data));
    const uint64_t type = tx.read(held->type);
    take(tx, static_cast<Offer*>(rb_find(tx, agency.tables->offers[type], tx.read(held->number))),
         -1);
    tx.free(held, sizeof(Held));
    --change.held;
  }
  rb_remove(tx, agency.tables->customers, number);
  list_destroy(tx, list);
  tx.free(customer, sizeof(Customer));
  return change;
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
}  // namespace mmt::workloads::stm::vacation
