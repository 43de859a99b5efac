// Hill climbing has a list of tasks, the best first. Each task inserts, removes or reverses an
// edge. A thread that applied one looks for the next best of the same variable. Each step is a
// transaction.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "stm/common/list.h"
#include "stm/common/world.h"
#include "stm/stamp/bayes/input.h"
#include "stm/stamp/bayes/likelihood.h"
#include "stm/stamp/bayes/network.h"

namespace mmt::workloads::stm::bayes {

enum class Change : uint8_t { kNone, kInsert, kRemove, kReverse };

// What is to be done to the parents of `to`, and the network's score then.
struct Task {
  Change change;
  size_t from;
  size_t to;
  double score;
};

// Each variable has one task in the list at most.
inline long compare_tasks(const void* left, const void* right) {
  const Task& a = *static_cast<const Task*>(left);
  const Task& b = *static_cast<const Task*>(right);
  if (a.score != b.score) return a.score > b.score ? -1 : 1;
  return static_cast<long>(a.to) - static_cast<long>(b.to);
}

template <class World>
class Learner {
 public:
  Learner(World& world, const Parameters& asked, const AdTree& tree)
      : world_(world),
        asked_(asked),
        tree_(tree),
        network_(asked.variables),
        own_(asked.variables),
        tasks_(asked.variables),
        records_(static_cast<double>(asked.records)),
        parent_costs_(asked.insert_penalty * 0.5 * std::log(records_)) {
    Plain plain;
    waiting_ = list_create(plain, compare_tasks);
  }
  ~Learner() {
    Plain plain;
    list_destroy(plain, waiting_);
  }
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  template <class Worker>
  void work(Worker& worker, unsigned number) {
    Likelihood likelihood(tree_, asked_.variables, asked_.records);
    const Share share(asked_.variables, number, world_.threads());
    Plain plain;
    double sum = 0;
    for (size_t variable = share.begin; variable < share.end; ++variable) {
      own_[variable] = likelihood.of(plain, network_, variable);
      sum += own_[variable];
    }
    worker.run([&](auto& tx) { tx.write(sum_, tx.read(sum_) + sum); });
    world_.wait();
    for (size_t variable = share.begin; variable < share.end; ++variable) {
      // Nobody changes the network yet.
      Task best = nothing(plain, variable);
      find_insert(plain, likelihood, &best);
      offer(worker, best);
    }
    world_.wait();
    climb(worker, likelihood);
  }

  // This is the score of the network as it is, by what was kept of its changes.
  double score() const { return score_of(parents_, sum_); }

  // Where no transaction runs: no cycle, no variable with too many parents, and what was kept is
  // what is found anew.
  bool is_right() {
    Plain plain;
    Likelihood likelihood(tree_, asked_.variables, asked_.records);
    uint64_t parents = 0;
    double sum = 0;
    bool right = waiting_->size == 0;
    for (size_t variable = 0; variable < asked_.variables; ++variable) {
      const size_t mine = network_.parents(plain, variable);
      right = right && mine <= asked_.most_parents;
      network_.visit_parents(plain, variable, [&](size_t parent) {
        right = right && !network_.has_path(plain, variable, parent);
      });
      const double own = likelihood.of(plain, network_, variable);
      right = right && own == own_[variable];
      parents += mine;
      sum += own;
    }
    const double score = score_of(parents, sum);
    return right && parents == parents_ && std::abs(score - this->score()) < -1e-9 * score;
  }

  // Where no transaction runs.
  Parents learned() {
    Plain plain;
    Parents all(asked_.variables);
    for (size_t variable = 0; variable < all.size(); ++variable) {
      network_.visit_parents(plain, variable,
                             [&](size_t parent) { all[variable].push_back(parent); });
    }
    return all;
  }
  uint64_t parents() const { return parents_; }
  uint64_t steps() const { return steps_; }

 private:
  double score_of(uint64_t parents, double sum) const {
    return records_ * sum - parent_costs_ * static_cast<double>(parents);
  }

  template <class Tx>
  Task nothing(Tx& tx, size_t variable) {
    return {Change::kNone, 0, variable, score_of(tx.read(parents_), tx.read(sum_))};
  }

  // Keeps the better one.
  static void compete(Task* best, Change change, size_t from, double score) {
    if (score > best->score) *best = {change, from, best->to, score};
  }

  template <class Worker>
  void offer(Worker& worker, const Task& task) {
    if (task.change == Change::kNone) return;
    Task* const mine = &tasks_[task.to];
    *mine = task;
    worker.run([&](auto& tx) { list_insert(tx, waiting_, mine); });
  }

  template <class Worker>
  void climb(Worker& worker, Likelihood& likelihood) {
    for (;;) {
      const Task* const first = worker.run([&](auto& tx) { return take(tx); });
      if (first == nullptr) return;
      const Task task = *first;
      if (worker.run([&](auto& tx) { return apply(tx, task); })) {
        renew(worker, likelihood, task.to);
        if (task.change == Change::kReverse) renew(worker, likelihood, task.from);
      }
      Task best = worker.run([&](auto& tx) { return nothing(tx, task.to); });
      const auto look = [&](auto&& find) {
        best = worker.run([&](auto& tx) {
          Task better = best;
          find(tx, &better);
          return better;
        });
      };
      look([&](auto& tx, Task* better) { find_insert(tx, likelihood, better); });
      look([&](auto& tx, Task* better) { find_remove(tx, likelihood, better); });
      look([&](auto& tx, Task* better) { find_reverse(tx, likelihood, better); });
      offer(worker, best);
    }
  }

  template <class Tx>
  const Task* take(Tx& tx) {
    ListNode* const first = tx.read(waiting_->head.next);
    if (first == nullptr) return nullptr;
    Task* const task = static_cast<Task*>(tx.read(first->data));
    list_remove(tx, waiting_, task);
    tx.write(steps_, tx.read(steps_) + 1);
    return task;
  }

  template <class Tx>
  bool may_have_more(Tx& tx, size_t variable) {
    return network_.parents(tx, variable) < asked_.most_parents;
  }
  template <class Tx>
  bool may_insert(Tx& tx, size_t from, size_t to) {
    return from != to && !network_.has_edge(tx, from, to) && !network_.has_path(tx, to, from);
  }
  template <class Tx>
  bool may_reverse(Tx& tx, size_t from, size_t to) {
    return may_have_more(tx, from) && !network_.has_path(tx, from, to, true);
  }

  // False when others' changes forbid it by now.
  template <class Tx>
  bool apply(Tx& tx, const Task& task) {
    if (task.change == Change::kInsert) {
      if (!may_have_more(tx, task.to) || !may_insert(tx, task.from, task.to)) return false;
      network_.insert(tx, task.from, task.to);
      tx.write(parents_, tx.read(parents_) + 1);
      return true;
    }
    if (!network_.has_edge(tx, task.from, task.to)) return false;
    if (task.change == Change::kReverse) {
      if (!may_reverse(tx, task.from, task.to)) return false;
      network_.remove(tx, task.from, task.to);
      network_.insert(tx, task.to, task.from);
      return true;
    }
    network_.remove(tx, task.from, task.to);
    tx.write(parents_, tx.read(parents_) - 1);
    return true;
  }

  // The likelihood of a variable whose parents are others now.
  template <class Worker>
  void renew(Worker& worker, Likelihood& likelihood, size_t variable) {
    const double change = worker.run([&](auto& tx) {
      const double own = likelihood.of(tx, network_, variable);
      const double before = tx.read(own_[variable]);
      tx.write(own_[variable], own);
      return own - before;
    });
    worker.run([&](auto& tx) { tx.write(sum_, tx.read(sum_) + change); });
  }

  template <class Tx>
  void find_insert(Tx& tx, Likelihood& likelihood, Task* best) {
    if (!may_have_more(tx, best->to)) return;
    const uint64_t parents = tx.read(parents_) + 1;
    const double others = tx.read(sum_) - tx.read(own_[best->to]);
    for (size_t from = 0; from < asked_.variables; ++from) {
      if (!may_insert(tx, from, best->to)) continue;
      const double own = likelihood.of(tx, network_, best->to, from);
      compete(best, Change::kInsert, from, score_of(parents, others + own));
    }
  }

  template <class Tx>
  void find_remove(Tx& tx, Likelihood& likelihood, Task* best) {
    const uint64_t parents = tx.read(parents_) - 1;
    const double others = tx.read(sum_) - tx.read(own_[best->to]);
    network_.visit_parents(tx, best->to, [&](size_t from) {
      const double own = likelihood.of(tx, network_, best->to, Likelihood::kNone, from);
      compete(best, Change::kRemove, from, score_of(parents, others + own));
    });
  }

  template <class Tx>
  void find_reverse(Tx& tx, Likelihood& likelihood, Task* best) {
    const uint64_t parents = tx.read(parents_);
    const double others = tx.read(sum_) - tx.read(own_[best->to]);
    network_.visit_parents(tx, best->to, [&](size_t from) {
      if (!may_reverse(tx, from, best->to)) return;
      const double own = likelihood.of(tx, network_, best->to, Likelihood::kNone, from) +
                         likelihood.of(tx, network_, from, best->to);
      compete(best, Change::kReverse, from, score_of(parents, others - tx.read(own_[from]) + own));
    });
  }

  World& world_;
  const Parameters& asked_;
  const AdTree& tree_;
  Network network_;
  std::vector<double> own_;  // the likelihood of each variable
  std::vector<Task> tasks_;  // that of each variable
  List* waiting_;            // of tasks
  double records_;
  double parent_costs_;
  alignas(64) double sum_ = 0;  // of own_, but for what is under way
  uint64_t parents_ = 0;
  alignas(64) uint64_t steps_ = 0;
};

}  // namespace mmt::workloads::stm::bayes
