// This must hold at the end, where no transaction runs. Every offer has used + free == total, and
// as many customers hold it as are used. In all, customers hold as much as the threads counted.
//
// Some facts hold whatever the order of transactions was. An offer that no request changes and that
// cannot be sold out has the same price throughout. So the dearest offer of a request for such
// offers only is known, and a customer that never leaves has it at the end. For most customers, it
// is known what they hold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "stm/common/list.h"
#include "stm/common/rb_tree.h"
#include "stm/common/world.h"
#include "stm/stamp/vacation/agency.h"
#include "stm/stamp/vacation/requests.h"

namespace mmt::workloads::stm::vacation {

// A row is an offer at the start, with what is asked of it.
struct Row {
  uint32_t count = 0;
  uint32_t price = 0;
  uint32_t queries = 0;  // by those that would reserve
  bool changes = false;

  bool is_certain() const { return !changes && queries <= count; }
};

// visit(request) for all of all clients.
template <class Visit>
void visit_requests(const Parameters& asked, unsigned threads, Visit&& visit) {
  Requests requests(asked.queries);
  for (unsigned number = 0; number < threads; ++number) {
    Random random(number);
    const Share share(asked.transactions, number, threads);
    for (size_t i = share.begin; i < share.end; ++i) visit(requests.next(random, asked));
  }
}

// An offer that somebody holds.
inline uint64_t key_of(uint64_t type, uint64_t number) { return type << 32 | number; }

class Expected {
 public:
  Expected(const Parameters& asked, unsigned threads)
      : leaves_(asked.rows + 1), unclear_(asked.rows + 1) {
    for (std::vector<Row>& rows : rows_) rows.resize(asked.rows + 1);
    visit_rows(asked, [&](uint64_t table, uint64_t number, int64_t count, int64_t price) {
      if (table == kTypes) return;
      rows_[table][number].count = static_cast<uint32_t>(count);
      rows_[table][number].price = static_cast<uint32_t>(price);
    });
    visit_requests(asked, threads, [&](const Request& request) { note(request); });
    visit_requests(asked, threads, [&](const Request& request) {
      if (request.kind == Request::Kind::kReserve) reserve(request);
    });
    std::sort(held_.begin(), held_.end());
    held_.erase(std::unique(held_.begin(), held_.end()), held_.end());
  }

  const Row& row(uint64_t type, uint64_t number) const { return rows_[type][number]; }
  bool leaves(uint64_t customer) const { return leaves_[customer] != 0; }

  // The customer must be one that never leaves. `held` are the keys of what the customer holds,
  // sorted.
  bool fits(uint64_t customer, const std::vector<uint64_t>& held) const {
    const auto begin = std::lower_bound(held_.begin(), held_.end(), One{customer, 0});
    const auto end = std::lower_bound(begin, held_.end(), One{customer + 1, 0});
    std::vector<uint64_t> expected;
    for (auto one = begin; one != end; ++one) expected.push_back(one->key);
    if (unclear_[customer] == 0) return held == expected;
    return std::includes(held.begin(), held.end(), expected.begin(), expected.end());
  }

 private:
  struct One {
    uint64_t customer;
    uint64_t key;
    auto operator<=>(const One&) const = default;
  };

  void note(const Request& request) {
    if (request.kind == Request::Kind::kLeave) leaves_[request.customer] = 1;
    for (uint64_t i = 0; i < request.count; ++i) {
      Row& row = rows_[request.types[i]][request.numbers[i]];
      if (request.kind == Request::Kind::kUpdate) row.changes = true;
      if (request.kind == Request::Kind::kReserve) ++row.queries;
    }
  }

  void reserve(const Request& request) {
    for (uint64_t type = 0; type < kTypes; ++type) {
      uint64_t dearest = 0;
      bool certain = true;
      for (uint64_t i = 0; i < request.count; ++i) {
        if (request.types[i] != type) continue;
        const uint64_t number = request.numbers[i];
        certain = certain && row(type, number).is_certain();
        // The first of those that cost the same; number 0 costs nothing.
        if (row(type, number).price > row(type, dearest).price) dearest = number;
      }
      if (!certain) unclear_[request.customer] = 1;
      if (certain && dearest != 0) held_.push_back({request.customer, key_of(type, dearest)});
    }
  }

  std::vector<Row> rows_[kTypes];  // by number
  std::vector<char> leaves_;       // by customer: some request says so
  std::vector<char> unclear_;      // some of what they asked for is not certain
  std::vector<One> held_;
};

// What an update may set.
inline bool may_cost(int64_t price) { return price >= 50 && price <= 90 && price % 10 == 0; }

struct Customers {
  std::vector<uint32_t> holders[kTypes];  // of offers, by number
  int64_t held = 0;
  uint64_t staying = 0;  // those that never leave
  bool right = true;
};

inline void check_customer(const Agency& agency, const Expected& expected, const RbNode& node,
                           Customers* all) {
  const Customer& customer = *static_cast<const Customer*>(node.value);
  bool right = customer.number == node.key;
  std::vector<uint64_t> keys;
  const Held* before = nullptr;
  for (const ListNode* one = customer.held->head.next; one != nullptr && right; one = one->next) {
    const Held& held = *static_cast<const Held*>(one->data);
    if (held.type >= kTypes || held.number >= all->holders[held.type].size()) {
      right = false;
      break;
    }
    const Row& row = expected.row(held.type, held.number);
    right = row.changes ? may_cost(held.price) : held.price == int64_t{row.price};
    const bool sorted = agency.compare == compare_right && before != nullptr;
    right = right && (!sorted || compare_right(before, &held) < 0);
    before = &held;
    ++all->holders[held.type][held.number];
    keys.push_back(key_of(held.type, held.number));
  }
  right = right && static_cast<size_t>(customer.held->size) == keys.size();
  all->held += customer.held->size;
  if (!expected.leaves(node.key)) {
    ++all->staying;
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    right = right && expected.fits(node.key, keys);
  }
  all->right = all->right && right;
}

// `held`: how many reservations the threads made, less those that they took back.
inline bool is_right(const Agency& agency, const Parameters& asked, unsigned threads,
                     int64_t held) {
  Uncounted uncounted;
  const Expected expected(asked, threads);
  Customers customers;
  for (std::vector<uint32_t>& holders : customers.holders) holders.resize(asked.rows + 1);
  bool right = rb_black_height(agency.tables->customers->root) >= 0;
  rb_visit(agency.tables->customers->root, [&](const RbNode& node) {
    right = right && node.key >= 1 && node.key <= asked.rows;
    if (right) check_customer(agency, expected, node, &customers);
  });
  uint64_t staying = 0;
  for (uint64_t number = 1; number <= asked.rows; ++number) staying += !expected.leaves(number);
  int64_t used = 0;
  for (uint64_t type = 0; type < kTypes; ++type) {
    const RbNode* const root = agency.tables->offers[type]->root;
    right = right && rb_black_height(root) >= 0;
    uint64_t unchanged = 0;
    rb_visit(root, [&](const RbNode& node) {
      right = right && node.key >= 1 && node.key <= asked.rows;
      if (!right) return;
      const Offer& offer = *static_cast<const Offer*>(node.value);
      const Row& row = expected.row(type, node.key);
      right = offer.used >= 0 && offer.free >= 0 && offer.number == node.key &&
              offer.used + offer.free == offer.total &&
              offer.used == int64_t{customers.holders[type][node.key]};
      right = right && (row.changes ? may_cost(offer.price)
                                    : offer.price == int64_t{row.price} &&
                                          offer.total == int64_t{row.count});
      unchanged += !row.changes;
      used += offer.used;
    });
    for (uint64_t number = 1; number <= asked.rows; ++number) {
      unchanged -= !expected.row(type, number).changes;
    }
    right = right && unchanged == 0;
  }
  return right && customers.right && customers.staying == staying && customers.held == held &&
         used == held;
}

}  // namespace mmt::workloads::stm::vacation
