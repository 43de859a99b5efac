// vacation against a sequential reference of maps, which shares nothing with it but the paper; and
// what its check says of wrong tables.
#include "stm/stamp/vacation.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace mmt::workloads::stm::vacation {
namespace {

constexpr Parameters kAsked{4, 60, 90, 256, 2000};

struct State {
  struct Stock {
    int64_t used, free, total, price;
    bool operator==(const Stock&) const = default;
  };
  struct Entry {
    uint64_t type, number;
    int64_t price = 0;
    bool operator==(const Entry&) const = default;
  };
  std::map<uint64_t, Stock> offers[3];
  std::map<uint64_t, std::vector<Entry>> customers;
  int64_t held = 0;
  uint64_t refused = 0;
};

// One client's run.
class Reference {
 public:
  explicit Reference(bool quirk) : quirk_(quirk) {
    std::mt19937 random(0);
    std::vector<uint64_t> numbers(kAsked.rows);
    for (uint64_t i = 0; i < kAsked.rows; ++i) numbers[i] = i + 1;
    for (int table = 0; table < 4; ++table) {
      for (uint64_t i = 0; i < kAsked.rows; ++i) {
        const uint64_t left = random() % kAsked.rows;
        std::swap(numbers[left], numbers[random() % kAsked.rows]);
      }
      for (uint64_t number : numbers) {
        const int64_t count = 100 * static_cast<int64_t>(random() % 5 + 1);
        const int64_t price = 50 + 10 * static_cast<int64_t>(random() % 5);
        if (table == 3) {
          state_.customers[number];
        } else {
          state_.offers[table][number] = {0, count, count, price};
        }
      }
    }
    std::mt19937 client(0);
    for (uint64_t i = 0; i < kAsked.transactions; ++i) one(client);
  }

  const State& state() const { return state_; }

 private:
  struct Asked {
    uint64_t type = 0, number = 0;
    bool add = false;
    int64_t price = 0;
  };

  void one(std::mt19937& random) {
    const uint64_t rows = 154;  // 60% of 256
    const uint64_t kind = random() % 100;
    if (kind >= 90 && kind % 2 == 1) return leave(random() % rows + 1);
    const uint64_t count = random() % 4 + 1;
    uint64_t customer = 0;
    if (kind < 90) customer = random() % rows + 1;
    std::vector<Asked> all(count);
    for (Asked& asked : all) {
      asked.type = random() % 3;
      asked.number = random() % rows + 1;
      if (kind >= 90) asked.add = random() % 2 == 1;
      if (asked.add) asked.price = 50 + 10 * static_cast<int64_t>(random() % 5);
    }
    if (kind < 90) return reserve(customer, all);
    for (const Asked& asked : all) update(asked);
  }

  void leave(uint64_t number) {
    for (const State::Entry& entry : state_.customers[number]) {
      ++state_.offers[entry.type][entry.number].free;
      --state_.offers[entry.type][entry.number].used;
      --state_.held;
    }
    state_.customers.erase(number);
  }

  void reserve(uint64_t customer, const std::vector<Asked>& all) {
    for (uint64_t type = 0; type < 3; ++type) {
      uint64_t best = 0;
      for (const Asked& asked : all) {
        if (asked.type != type || !state_.offers[type].contains(asked.number)) continue;
        const int64_t price = state_.offers[type][asked.number].price;
        if (best == 0 || price > state_.offers[type][best].price) best = asked.number;
      }
      if (best == 0) continue;
      State::Stock& stock = state_.offers[type][best];
      std::vector<State::Entry>& entries = state_.customers[customer];
      if (stock.free == 0) continue;
      if (!insert(&entries, {type, best, stock.price})) {
        ++state_.refused;
        continue;
      }
      --stock.free;
      ++stock.used;
      ++state_.held;
    }
  }

  bool insert(std::vector<State::Entry>* entries, const State::Entry& entry) const {
    auto at = entries->begin();
    for (; at != entries->end(); ++at) {
      if (at->type == entry.type && at->number == entry.number) return false;
      if (at->type == entry.type ? at->number > entry.number : quirk_ || at->type > entry.type)
        break;
    }
    entries->insert(at, entry);
    return true;
  }

  void update(const Asked& asked) {
    const auto found = state_.offers[asked.type].find(asked.number);
    const bool there = found != state_.offers[asked.type].end();
    if (asked.add) {
      State::Stock& stock = state_.offers[asked.type][asked.number];
      stock = {stock.used, stock.free + 100, stock.total + 100, asked.price};
      return;
    }
    if (!there) return;
    State::Stock& stock = found->second;
    if (asked.type == 1 && stock.used > 0) return;
    const int64_t count = asked.type == 1 ? stock.total : 100;
    if (stock.free < count) return;
    stock.free -= count;
    stock.total -= count;
    if (stock.total == 0) state_.offers[asked.type].erase(found);
  }

  bool quirk_;
  State state_;
};

// A run of so many clients, whose tables a test may spoil.
class Finished {
 public:
  template <class World>
  Finished(World&& world, Quirk quirk)
      : agency_(make_agency(quirk, kAsked)), threads_(world.threads()), changes_(threads_) {
    agency_.loses_refused = false;  // they change no table
    world.parallel([&](auto& worker, unsigned number) {
      Client* const client = client_create(agency_, number, kAsked);
      changes_[number] = work(worker, *client, Share(kAsked.transactions, number, threads_));
      client_destroy(client);
    });
  }
  ~Finished() { empty(agency_); }
  Finished(const Finished&) = delete;
  Finished& operator=(const Finished&) = delete;

  int64_t held() const {
    int64_t sum = 0;
    for (const Change& one : changes_) sum += one.held;
    return sum;
  }
  bool holds(int64_t more = 0) const { return is_right(agency_, kAsked, threads_, held() + more); }

  State state() const {
    State state;
    state.held = held();
    for (const Change& one : changes_) state.refused += one.refused;
    for (int type = 0; type < 3; ++type) {
      rb_visit(agency_.tables->offers[type]->root, [&](const RbNode& node) {
        const Offer& one = *static_cast<const Offer*>(node.value);
        state.offers[type][node.key] = {one.used, one.free, one.total, one.price};
      });
    }
    rb_visit(agency_.tables->customers->root, [&](const RbNode& node) {
      std::vector<State::Entry>& entries = state.customers[node.key];
      visit_held(node, [&](const Held& one) {
        entries.push_back({one.type, one.number, one.price});
      });
    });
    return state;
  }

  Offer& offer(const Held& held) {
    Plain plain;
    return *static_cast<Offer*>(rb_find(plain, agency_.tables->offers[held.type], held.number));
  }
  // One that nobody changes and somebody holds who stays.
  Held& certain_held() {
    const Expected expected(kAsked, threads_);
    Held* found = nullptr;
    rb_visit(agency_.tables->customers->root, [&](const RbNode& node) {
      if (expected.leaves(node.key)) return;
      visit_held(node, [&](Held& one) {
        if (!expected.row(one.type, one.number).changes) found = &one;
      });
    });
    return *found;
  }
  List& held_of(const Held& held) {
    List* list = nullptr;
    rb_visit(agency_.tables->customers->root, [&](const RbNode& node) {
      visit_held(node, [&](const Held& one) {
        if (&one == &held) list = static_cast<Customer*>(node.value)->held;
      });
    });
    return *list;
  }

  Agency agency_;

 private:
  template <class Visit>
  static void visit_held(const RbNode& node, Visit&& visit) {
    const ListNode* one = static_cast<const Customer*>(node.value)->held->head.next;
    for (; one != nullptr; one = one->next) visit(*static_cast<Held*>(one->data));
  }

  unsigned threads_;
  std::vector<Change> changes_;
};

Finished run_by(unsigned threads, Quirk quirk = Quirk::kMended) {
  return {StmWorld({}, threads), quirk};
}

void expect_reference(const State& state, bool quirk) {
  const Reference reference(quirk);
  for (int type = 0; type < 3; ++type) {
    EXPECT_TRUE(state.offers[type] == reference.state().offers[type]) << type;
  }
  EXPECT_TRUE(state.customers == reference.state().customers);
  EXPECT_EQ(state.held, reference.state().held);
  EXPECT_GT(state.refused, 0u);
  EXPECT_EQ(state.refused, reference.state().refused);
}

TEST(Vacation, OneThreadIsTheReference) {
  for (const Quirk quirk : {Quirk::kMended, Quirk::kKept}) {
    const Finished plain(PlainWorld(), quirk);
    expect_reference(plain.state(), quirk == Quirk::kKept);
    expect_reference(run_by(1, quirk).state(), quirk == Quirk::kKept);
  }
}

TEST(Vacation, AnyNumberOfThreadsIsRight) {
  for (const Quirk quirk : {Quirk::kMended, Quirk::kKept}) {
    for (const unsigned threads : {1u, 2u, 5u}) EXPECT_TRUE(run_by(threads, quirk).holds());
  }
}

TEST(Check, MostCustomersAreCertain) {
  const Expected expected(kAsked, 2);
  uint64_t certain = 0;
  for (uint64_t number = 1; number <= kAsked.rows; ++number) certain += !expected.leaves(number);
  EXPECT_GT(certain, kAsked.rows / 2);
}

TEST(Check, AReserveThatDoesNothingIsWrong) {
  Agency agency = make_agency(Quirk::kMended, kAsked);
  EXPECT_FALSE(is_right(agency, kAsked, 2, 0));
  empty(agency);
}

TEST(Check, AWrongPriceIsWrong) {
  for (const int64_t off : {-43, 10, -10}) {
    Finished run = run_by(2);
    run.certain_held().price += off;
    EXPECT_FALSE(run.holds()) << off;
  }
}

// As if the cheapest had been taken, with all that goes with it.
TEST(Check, AnotherOfferThanTheDearestIsWrong) {
  Finished run = run_by(2);
  Held& held = run.certain_held();
  Held other = held;
  const List& all = run.held_of(held);
  Plain plain;
  for (bool fits = false; !fits;) {
    other.number = other.number % 154 + 1;
    const Offer* const offer =
        static_cast<Offer*>(rb_find(plain, run.agency_.tables->offers[other.type], other.number));
    fits = offer != nullptr && list_find(plain, const_cast<List*>(&all), &other) == nullptr;
  }
  take(plain, &run.offer(held), -1);
  take(plain, &run.offer(other), 1);
  held.number = other.number;
  held.price = run.offer(other).price;
  EXPECT_FALSE(run.holds());
}

TEST(Check, UsedOfAnotherOfferIsWrong) {
  Finished run = run_by(2);
  const Held& held = run.certain_held();
  Plain plain;
  take(plain, &run.offer(held), -1);
  take(plain, &run.offer({held.type, held.number % 154 + 1, 0}), 1);
  EXPECT_FALSE(run.holds());
}

TEST(Check, AReservationThatIsLostWithItsCountIsWrong) {
  Finished run = run_by(2);
  Held& held = run.certain_held();
  Plain plain;
  take(plain, &run.offer(held), -1);
  list_remove(plain, &run.held_of(held), &held);
  plain_free(&held);
  EXPECT_FALSE(run.holds(-1)) << "the threads' count is of no help here";
}

TEST(Check, MoreThanThreadsCountedIsWrong) {
  const Finished run = run_by(2);
  EXPECT_FALSE(run.holds(1));
  EXPECT_FALSE(run.holds(-1));
}

TEST(Check, AnOfferThatNobodyChangedIsAsItWas) {
  for (int64_t Offer::*const what : {&Offer::price, &Offer::total}) {
    Finished run = run_by(2);
    Offer& offer = run.offer(run.certain_held());
    offer.*what += 10;
    offer.free = offer.total - offer.used;
    EXPECT_FALSE(run.holds());
  }
}

}  // namespace
}  // namespace mmt::workloads::stm::vacation
