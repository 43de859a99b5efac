// Worlds whose designs or epochs have one fault each, for the checks of the scenarios to find.
#pragma once

#include <cstdint>

#include <mmt/stm/design/table.h>

#include "stm/model_world.h"

namespace mmt::model {

template <class World>
using DescriptorOf = stm::Descriptor<World>;

// A commit that wrote says no.
struct RefusesWriters : ModelWorld<false> {
  static void plant(stm::Operations<RefusesWriters>& operations) {
    operations.commit = [](DescriptorOf<RefusesWriters>& d) { return d.writes.empty(); };
  }
};

// An attempt that only read is validated once more, though its snapshot was of one instant.
struct ValidatesReaders : ModelWorld<false> {
  using Design = stm::WriteBackEncounter<ValidatesReaders>;
  static void plant(stm::Operations<ValidatesReaders>& operations) {
    operations.commit = [](DescriptorOf<ValidatesReaders>& d) {
      return d.writes.empty() ? Design::validate(d) : Design::commit(d);
    };
  }
};

// What was written through is put back, and the orec as well: it tells nobody.
struct KeepsIncarnation : ModelWorld<false> {
  static void plant(stm::Operations<KeepsIncarnation>& operations) {
    operations.roll_back = [](DescriptorOf<KeepsIncarnation>& d) {
      for (const auto& write : d.writes) store(write.at, write.value, write.mask);
      stm::WriteThrough<KeepsIncarnation>::let_go(d);
    };
  }
};

// Incarnations begin again, under the version that the orec has.
struct Repeats : ModelWorld<true> {
  static void plant(stm::Operations<Repeats>& operations) {
    operations.roll_back = [](DescriptorOf<Repeats>& d) {
      for (const auto& write : d.writes) {
        store(write.at, write.value, write.mask);
        const bool last = stm::orec::incarnation(write.before) == stm::orec::kIncarnations - 1;
        const uint64_t version = stm::orec::version(write.before);
        write.orec->store(
            last ? stm::orec::of_version(version) : stm::orec::next_incarnation(write.before),
            order(stm::kOrecFree));
      }
    };
  }
};

// The second attempt to end is not rolled back at all.
struct RollsBackOnce : ModelWorld<false> {
  static void plant(stm::Operations<RollsBackOnce>& operations) {
    operations.roll_back = [](DescriptorOf<RollsBackOnce>& d) {
      for (const auto& write : d.writes) {
        if (write.owns && stm::orec::incarnation(write.before) != 0) return;
      }
      stm::WriteThrough<RollsBackOnce>::roll_back(d);
    };
  }
};

struct WaitsForNobody : ModelWorld<true> {};
struct ClosesUnderOthers : ModelWorld<true> {};
struct NeverOpens : ModelWorld<true> {};
struct OpensOnce : ModelWorld<true> {};

}  // namespace mmt::model

namespace mmt::stm {

// Whoever privatizes or frees does not wait.
template <>
class Epochs<model::WaitsForNobody> : public Epochs<model::ModelWorld<true>> {
 public:
  void wait_until_passed(uint64_t) {}
};

// The gate is closed, and those who run go on.
template <>
class Epochs<model::ClosesUnderOthers> : public Epochs<model::ModelWorld<true>> {
 public:
  void close(uint32_t self) {
    model::ModelSync::await([&] { return try_close(self); });
  }
};

// An open gate lets nobody in.
template <>
class Epochs<model::NeverOpens> : public Epochs<model::ModelWorld<true>> {
 public:
  [[nodiscard]] bool enter(uint32_t self) {
    announce(self);
    leave(self);
    return false;
  }
};

// Whoever was turned away once is turned away for ever.
template <>
class Epochs<model::OpensOnce> : public Epochs<model::ModelWorld<true>> {
 public:
  [[nodiscard]] bool enter(uint32_t self) {
    const bool first = !asked_;
    asked_ = true;
    return first && Epochs<model::ModelWorld<true>>::enter(self);
  }

 private:
  bool asked_ = false;  // one thread enters
};

}  // namespace mmt::stm
