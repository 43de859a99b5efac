// Doorbell: who rang is named once, and no ring of racing threads is lost.
#include <atomic>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sync/doorbell.h>

namespace mmt::sync {
namespace {

static_assert(std::is_standard_layout_v<Doorbell<>>);
static_assert(sizeof(Doorbell<>) == 128, "1024 bits");

template <class Bell>
std::vector<uint32_t> rung(Bell& bell) {
  std::vector<uint32_t> out;
  bell.for_each_rung([&](uint32_t i) { out.push_back(i); });
  return out;
}

using Clients = std::vector<uint32_t>;

TEST(Doorbell, NamesWhoRang) {
  Doorbell<> bell;
  EXPECT_FALSE(bell.any_rung());
  for (const uint32_t i : {1023U, 0U, 64U, 63U, 500U}) EXPECT_TRUE(bell.ring(i));
  EXPECT_FALSE(bell.ring(64)) << "it was set already";
  EXPECT_TRUE(bell.any_rung());
  EXPECT_EQ(rung(bell), (Clients{0, 63, 64, 500, 1023}));
  EXPECT_FALSE(bell.any_rung());
  EXPECT_EQ(rung(bell), Clients{});
  EXPECT_TRUE(bell.ring(64));
}

TEST(Doorbell, KeepsWhatTheServerComesBackTo) {
  Doorbell<> bell;
  bell.ring(7);
  bell.for_each_rung([&](uint32_t i) { bell.keep(i); });
  EXPECT_TRUE(bell.any_rung());
  EXPECT_FALSE(bell.ring(7));
  EXPECT_EQ(rung(bell), Clients{7});
}

TEST(Doorbell, RingsForAllClientsAndNoOther) {
  Doorbell<70> bell;
  bell.ring_all();
  const Clients all = rung(bell);
  ASSERT_EQ(all.size(), 70U);
  EXPECT_EQ(all.back(), 69U);
  Doorbell<64> full;
  full.ring_all();
  EXPECT_EQ(rung(full).size(), 64U);
}

// Each client counts up and rings; the server reads counts only of those that rang.
TEST(Doorbell, NoRingIsLost) {
  constexpr uint32_t kClients = 3;
  constexpr uint32_t kRounds = 30000;
  auto bell = std::make_unique<Doorbell<>>();
  std::atomic<uint32_t> counts[kClients] = {};
  std::vector<std::thread> clients;
  for (uint32_t i = 0; i < kClients; ++i) {
    clients.emplace_back([&, i] {
      for (uint32_t round = 1; round <= kRounds; ++round) {
        counts[i].store(round, std::memory_order_relaxed);
        bell->ring(i * 100);
      }
    });
  }
  uint32_t seen[kClients] = {};
  for (uint32_t done = 0; done < kClients;) {
    if (!bell->any_rung()) std::this_thread::yield();
    bell->for_each_rung([&](uint32_t client) {
      ASSERT_EQ(client % 100, 0U);
      const uint32_t i = client / 100;
      const uint32_t before = seen[i];
      seen[i] = counts[i].load(std::memory_order_relaxed);
      if (before < kRounds && seen[i] == kRounds) ++done;
    });
  }
  for (std::thread& client : clients) client.join();
}

}  // namespace
}  // namespace mmt::sync
