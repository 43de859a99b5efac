// All scenarios by name, and all orders by name.
#pragma once

#include <ostream>

#include <mmt/sync/client_lease.h>
#include <mmt/sync/counted_list.h>
#include <mmt/sync/lock_queue.h>
#include <mmt/sync/opening.h>
#include <mmt/sync/parker.h>
#include <mmt/sync/registry.h>
#include <mmt/sync/returned_bits.h>
#include <mmt/sync/server_role.h>
#include <mmt/sync/spsc_ring.h>
#include <mmt/sync/take_all_list.h>
#include <mmt/sync/try_lock.h>

#include "checker/model_sync.h"
#include "scenarios/beginning.h"
#include "scenarios/channel.h"
#include "scenarios/life_cycle.h"
#include "scenarios/list.h"
#include "scenarios/lock.h"
#include "scenarios/lock_queue.h"
#include "scenarios/returned.h"
#include "scenarios/wake.h"

namespace mmt::model {

struct NamedScenario {
  const char* name;
  Result (*run)(const Limits&, const Weakening&, SiteSet* used);
};
inline void PrintTo(const NamedScenario& scenario, std::ostream* out) { *out << scenario.name; }

// In the order in which the mutation test tries them: small ones first.
inline constexpr NamedScenario kScenarios[] = {
    {"ring_singly", explore<RingSingly<ModelSync>>},
    {"ring_batches", explore<RingBatches<ModelSync>>},
    {"ring_held", explore<RingHeld<ModelSync>>},
    {"ring_overflow", explore<RingOverflow<ModelSync>>},
    {"list_of_three", explore<ListOfThree<ModelSync>>},
    {"counted_list", explore<CountedListOfTwo<ModelSync>>},
    {"counted_list_taken_twice", explore<CountedListTaken<ModelSync>>},
    {"returned_blocks", explore<ReturnedBlocks<ModelSync, 2>>},
    {"returned_put_off", explore<ReturnedBlocks<ModelSync, 1>>},
    {"returned_two_holders", explore<ReturnedToTwoHolders<ModelSync>>},
    {"returned_in_child", explore<ReturnedInChild<ModelSync>>},
    {"parker", explore<ParkerAndWord<ModelSync, false>>},
    {"parker_urgent", explore<ParkerAndWord<ModelSync, true>>},
    {"lock_two_wait", explore<Locking<ModelSync, 2, 0>>},
    {"lock_wait_and_try", explore<Locking<ModelSync, 1, 1>>},
    {"lock_two_try", explore<Locking<ModelSync, 0, 2>>},
    {"lock_try_and_go_on", explore<TryAndGoOn<ModelSync>>},
    {"lock_wait_for_a_while", explore<WaitForAWhile<ModelSync>>},
    {"lock_taken_over", explore<TakeOver<ModelSync>>},
    {"lock_two_wait_one_tries", explore<Locking<ModelSync, 2, 1>>},
    {"lock_three_wait", explore<Locking<ModelSync, 3, 0>>},
    {"queue", explore<Queueing<ModelSync, 1>>},
    {"queue_again", explore<Queueing<ModelSync, 2>>},
    {"sleepy_server", explore<SleepyServer<ModelSync, 1, 2>>},
    {"sleepy_server_two_clients", explore<SleepyServer<ModelSync, 2, 1>>},
    {"heap_opening", explore<HeapOpening<ModelSync>>},
    {"clients_made", explore<ClientsMade<ModelSync, 2>>},
    {"clients_made_full", explore<ClientsMade<ModelSync, 1>>},
    {"client_made_while_parking", explore<ClientMadeWhileParking<ModelSync>>},
    {"server_start", explore<ServerStart<ModelSync, false>>},
    {"server_restart", explore<ServerRestart<ModelSync>>},
    {"thread_end", explore<ThreadEnd<ModelSync>>},
    {"thread_end_alone", explore<ThreadEndAlone<ModelSync>>},
    {"zombie_put_back", explore<ZombiePutBack<ModelSync>>},
    {"zombie_wakes", explore<ZombieWakes<ModelSync>>},
    {"returned_to_sleeper", explore<ReturnedToSleeper<ModelSync, true>>},
    {"fork", explore<Fork<ModelSync, false>>},
};

inline constexpr const sync::OrderSite* kSites[] = {
    &sync::kRingPublish,       &sync::kRingSeeTail,     &sync::kRingSeeTailNow,
    &sync::kRingConsume,       &sync::kRingSeeHead,     &sync::kListAdd,
    &sync::kListTake,          &sync::kParkerBegin,     &sync::kLockTry,
    &sync::kLockWaited,        &sync::kLockRelease,     &sync::kLeaseClaim,
    &sync::kLeaseAdopt,        &sync::kLeaseLeave,      &sync::kLeaseBeginReclaim,
    &sync::kLeasePutBack,      &sync::kLeaseEndReclaim, &sync::kRoleClaimStart,
    &sync::kRoleEnd,           &sync::kRingStreamFence, &sync::kReturnedLeave,
    &sync::kReturnedMark,      &sync::kReturnedSignal,  &sync::kReturnedBegin,
    &sync::kReturnedTakeMarks, &sync::kReturnedTake,    &sync::kRegistryAdd,
    &sync::kRegistryAt,        &sync::kOpeningSee,      &sync::kOpeningBegin,
    &sync::kOpeningFinish,     &sync::kQueueSleep,      &sync::kQueueUnlocked,
    &sync::kQueueRan,          &sync::kQueueWake,       &sync::kLockHandOver,
    &sync::kCountedPut,        &sync::kCountedSee,
};

}  // namespace mmt::model
