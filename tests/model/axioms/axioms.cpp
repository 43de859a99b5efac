#include "axioms/axioms.h"

#include <algorithm>
#include <array>
#include <bitset>

namespace mmt::model {
namespace {

using Kind = LitmusOperation::Kind;

constexpr size_t kMost = 16;  // events

// A relation on events, as a matrix.
struct Relation {
  std::array<std::bitset<kMost>, kMost> row;

  Relation operator|(const Relation& other) const {
    Relation out;
    for (size_t i = 0; i < kMost; ++i) out.row[i] = row[i] | other.row[i];
    return out;
  }
  // Composition.
  Relation operator*(const Relation& other) const {
    Relation out;
    for (size_t i = 0; i < kMost; ++i) {
      for (size_t j = 0; j < kMost; ++j) {
        if (row[i][j]) out.row[i] |= other.row[j];
      }
    }
    return out;
  }
  Relation closed() const {
    Relation out = *this;
    for (size_t k = 0; k < kMost; ++k) {
      for (size_t i = 0; i < kMost; ++i) {
        if (out.row[i][k]) out.row[i] |= out.row[k];
      }
    }
    return out;
  }
  bool irreflexive() const {
    for (size_t i = 0; i < kMost; ++i) {
      if (row[i][i]) return false;
    }
    return true;
  }
  bool acyclic() const { return closed().irreflexive(); }
  Relation between(const std::bitset<kMost>& set) const {
    Relation out;
    for (size_t i = 0; i < kMost; ++i) {
      if (set[i]) out.row[i] = row[i] & set;
    }
    return out;
  }
};

struct Event {
  int thread;  // -1: initial store
  LitmusOperation op;
};

bool acquires(std::memory_order order) {
  return order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}
bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}
bool reads(const Event& event) {
  return event.op.kind == Kind::kLoad || event.op.kind == Kind::kAdd;
}
bool writes(const Event& event) {
  return event.op.kind == Kind::kStore || event.op.kind == Kind::kAdd;
}

class Enumeration {
 public:
  Enumeration(const LitmusProgram& program, int locations) {
    for (int location = 0; location < locations; ++location) {
      events_.push_back({-1, {Kind::kStore, location}});
    }
    for (size_t t = 0; t < program.size(); ++t) {
      for (const LitmusOperation& op : program[t]) {
        events_.push_back({static_cast<int>(t), op});
      }
    }
    source_.assign(events_.size(), 0);
    orders_.resize(static_cast<size_t>(locations));
    for (size_t i = 0; i < events_.size(); ++i) {
      if (writes(events_[i])) orders_[location(i)].push_back(i);
      for (size_t j = 0; j < events_.size(); ++j) {
        const bool initial = events_[i].thread < 0 && events_[j].thread >= 0;
        const bool program_order =
            events_[i].thread >= 0 && events_[i].thread == events_[j].thread && i < j;
        if (initial || program_order) sb_.row[i][j] = true;
      }
      if (events_[i].op.kind == Kind::kFence && events_[i].op.order == std::memory_order_seq_cst) {
        sc_fences_[i] = true;
      }
    }
  }

  Consistent run() {
    choose_sources(0);
    return result_;
  }

 private:
  size_t location(size_t event) const { return static_cast<size_t>(events_[event].op.location); }

  void choose_sources(size_t event) {
    if (event == events_.size()) return choose_orders(0);
    if (!reads(events_[event])) return choose_sources(event + 1);
    for (size_t i = 0; i < events_.size(); ++i) {
      if (i == event || !writes(events_[i]) || location(i) != location(event)) continue;
      source_[event] = i;
      choose_sources(event + 1);
    }
  }

  void choose_orders(size_t which) {
    if (which == orders_.size()) return check();
    auto& order = orders_[which];
    std::sort(order.begin() + 1, order.end());  // the initial store is first
    do {
      choose_orders(which + 1);
    } while (std::next_permutation(order.begin() + 1, order.end()));
  }

  void check() {
    Relation rf, mo, rb;
    for (size_t i = 0; i < events_.size(); ++i) {
      if (reads(events_[i])) rf.row[source_[i]][i] = true;
    }
    for (const auto& order : orders_) {
      for (size_t i = 0; i < order.size(); ++i) {
        for (size_t j = i + 1; j < order.size(); ++j) mo.row[order[i]][order[j]] = true;
        // A read-modify-write follows at once the store it reads.
        if (i > 0 && reads(events_[order[i]]) && source_[order[i]] != order[i - 1]) return;
      }
    }
    for (size_t i = 0; i < events_.size(); ++i) {
      if (!reads(events_[i])) continue;
      rb.row[i] = mo.row[source_[i]];
      rb.row[i][i] = false;
    }
    if (!(sb_ | rf).acyclic()) return;
    const Relation hb = (sb_ | synchronises(rf)).closed();
    const Relation eco = (rf | mo | rb).closed();
    if (!hb.irreflexive() || !(hb * eco).irreflexive()) return;
    const Relation psc = (hb | hb * eco * hb).between(sc_fences_);
    if (!psc.acyclic() || !(sb_ | rf | psc).acyclic()) return;
    ++result_.graphs;
    note_outcome();
  }

  Relation synchronises(const Relation& rf) const {
    // Release sequences: a store, then the read-modify-writes that build on it.
    Relation sequence, modify_rf;
    for (size_t i = 0; i < events_.size(); ++i) {
      sequence.row[i][i] = writes(events_[i]);
      for (size_t j = 0; j < events_.size(); ++j) {
        modify_rf.row[i][j] = rf.row[i][j] && events_[j].op.kind == Kind::kAdd;
      }
    }
    sequence = sequence | modify_rf.closed();
    Relation from, to;
    for (size_t i = 0; i < events_.size(); ++i) {
      const Event& event = events_[i];
      const bool fence = event.op.kind == Kind::kFence;
      if (releases(event.op.order)) {
        for (size_t j = 0; j < events_.size(); ++j) {
          const bool later = fence && sb_.row[i][j] && writes(events_[j]);
          from.row[i][j] = later || (i == j && writes(event));
        }
      }
      if (acquires(event.op.order)) {
        for (size_t j = 0; j < events_.size(); ++j) {
          const bool earlier = fence && sb_.row[j][i] && reads(events_[j]);
          to.row[j][i] = to.row[j][i] || earlier || (i == j && reads(event));
        }
      }
    }
    return from * sequence * rf * to;
  }

  uint32_t value(size_t event) const {
    const LitmusOperation& op = events_[event].op;
    return op.kind == Kind::kAdd ? value(source_[event]) + op.value : op.value;
  }

  void note_outcome() {
    std::string text;
    for (size_t i = 0; i < events_.size(); ++i) {
      if (reads(events_[i])) text += std::to_string(value(source_[i])) + " ";
    }
    text += "|";
    for (const auto& order : orders_) text += " " + std::to_string(value(order.back()));
    result_.outcomes.insert(text);
  }

  std::vector<Event> events_;
  std::vector<size_t> source_;               // of each read
  std::vector<std::vector<size_t>> orders_;  // of each location's stores
  Relation sb_;
  std::bitset<kMost> sc_fences_;
  Consistent result_;
};

const char* name_of(std::memory_order order) {
  switch (order) {
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
    default:
      return "relaxed";
  }
}

}  // namespace

std::string to_string(const LitmusProgram& program) {
  std::string text;
  for (const auto& thread : program) {
    for (const LitmusOperation& op : thread) {
      const char* const names[] = {"load ", "store ", "add ", "fence "};
      text += names[static_cast<int>(op.kind)];
      if (op.kind != Kind::kFence) text += "a" + std::to_string(op.location) + " ";
      if (op.kind == Kind::kStore || op.kind == Kind::kAdd) text += std::to_string(op.value) + " ";
      text += std::string(name_of(op.order)) + "; ";
    }
    text += "||| ";
  }
  return text;
}

Consistent consistent_executions(const LitmusProgram& program, int locations) {
  return Enumeration(program, locations).run();
}

}  // namespace mmt::model
