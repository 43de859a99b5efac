// What there is at the start, and what clients ask for: all that is drawn.
#pragma once

#include <cstdint>
#include <new>
#include <utility>

#include "stm/common/world.h"
#include "stm/stamp/result.h"
#include "stm/stamp/vacation/agency.h"

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
  Parameters asked = by_size<Parameters>(size, {4, 60, 90, 16384, 4096}, {4, 60, 90, 32768, 49152},
                                         {4, 60, 90, 65536, 131072}, {4, 60, 90, 1048576, 4194304});
  if (is_low(size)) {
    asked.queries = 2;
    asked.percent_rows = 90;
    asked.percent_reserve = 98;
  }
  return asked;
}

// The rows at the start, in the order in which they are made: visit(table, number, count, price).
// The last table is that of customers, who have neither.
template <class Visit>
void visit_rows(const Parameters& asked, Visit&& visit) {
  Random& random = *::new (plain_allocate(sizeof(Random))) Random(0);
  uint64_t* const numbers = static_cast<uint64_t*>(plain_allocate(asked.rows * sizeof(uint64_t)));
  for (uint64_t i = 0; i < asked.rows; ++i) numbers[i] = i + 1;
  for (uint64_t table = 0; table <= kTypes; ++table) {
    for (uint64_t i = 0; i < asked.rows; ++i) {
      const uint64_t left = random.below(asked.rows);
      const uint64_t right = random.below(asked.rows);
      std::swap(numbers[left], numbers[right]);
    }
    for (uint64_t row = 0; row < asked.rows; ++row) {
      const int64_t count = static_cast<int64_t>((random.below(5) + 1) * 100);
      const int64_t price = static_cast<int64_t>(random.below(5) * 10 + 50);
      visit(table, numbers[row], count, price);
    }
  }
  plain_free(numbers);
  plain_free(&random);
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

  // The request comes from the client's generator, and is valid until the next.
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
}  // namespace mmt::workloads::stm::vacation
