#pragma once
// The calls that change pages, told to a heap P (page_owner.h) before they are made.
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <array>
#include <cstddef>

#include <mmt/sys/syscall.h>

#include "confine/page_owner.h"
#include "confine/seen_calls.h"

namespace mmt::confine {

// It is newer than the headers of some systems.
inline constexpr long kSysProcessMadvise = 440;
inline constexpr long kSysSetMempolicyHomeNode = 450;
inline constexpr long kSysMseal = 462;
inline constexpr unsigned kUserfaultIoctls = 0xaa;
inline constexpr int kMostPieces = 1024;  // of one process_madvise

// Advice that leaves no trace in a page, but in what memory it has.
constexpr bool is_passing(long advice) {
  constexpr long kPopulateRead = 22, kPopulateWrite = 23, kDontneedLocked = 24, kCollapse = 25,
                 kGuardRemove = 103, kCold = 20, kPageout = 21;
  switch (advice) {
    case MADV_NORMAL:
    case MADV_RANDOM:
    case MADV_SEQUENTIAL:
    case MADV_WILLNEED:
    case MADV_DONTNEED:
    case MADV_FREE:
    case MADV_REMOVE:
    case MADV_HUGEPAGE:
    case MADV_DOFORK:
    case MADV_KEEPONFORK:
    case MADV_DODUMP:
    case kCold:
    case kPageout:
    case kPopulateRead:
    case kPopulateWrite:
    case kDontneedLocked:
    case kCollapse:
    case kGuardRemove:
      return true;
    default:
      return false;
  }
}

template <IsPageOwner P>
struct PageCalls {
  static constexpr std::array<long, 18> kNumbers{
      SYS_mlockall,         SYS_munlockall,  SYS_mmap,
      SYS_mprotect,         SYS_munmap,      SYS_mremap,
      SYS_madvise,          SYS_shmat,       SYS_mlock,
      SYS_remap_file_pages, SYS_mbind,       SYS_mlock2,
      SYS_pkey_mprotect,    SYS_userfaultfd, SYS_ioctl,
      kSysProcessMadvise,   kSysMseal,       kSysSetMempolicyHomeNode};

  static void note(const sys::SystemCall& call) {
    const long* const a = call.arguments;
    switch (call.number) {
      case SYS_mmap:
        if ((a[3] & (MAP_FIXED | MAP_FIXED_NOREPLACE)) == MAP_FIXED) mapping(a[0], a[1]);
        break;
      case SYS_munmap:
      case SYS_pkey_mprotect:
      case SYS_remap_file_pages:
      case kSysMseal:
        mapping(a[0], a[1]);
        break;
      case SYS_mremap:
        P::about_to_move(reinterpret_cast<const void*>(a[0]), static_cast<size_t>(a[1]));
        mapping(a[0], a[1]);
        if ((a[3] & MREMAP_FIXED) != 0) mapping(a[4], a[2]);
        break;
      case SYS_shmat:
        if ((a[2] & SHM_REMAP) != 0) mapping(a[1], segment_bytes(a[0]));
        break;
      case SYS_mprotect:
        if (a[2] != (PROT_READ | PROT_WRITE)) flags(a[0], a[1]);
        break;
      case SYS_madvise:
        if (!is_passing(a[2])) flags(a[0], a[1]);
        break;
      case kSysProcessMadvise:
        if (!is_passing(a[3])) pieces(reinterpret_cast<const iovec*>(a[1]), a[2]);
        break;
      case SYS_mlock:
      case SYS_mlock2:
      case SYS_mbind:
      case kSysSetMempolicyHomeNode:
        flags(a[0], a[1]);
        break;
      case SYS_mlockall:
      case SYS_munlockall:
        P::note_mlockall(call.number == SYS_mlockall);
        break;
      case SYS_userfaultfd:
        P::note_unseen();
        break;
      case SYS_ioctl:
        if ((static_cast<unsigned long>(a[1]) >> _IOC_TYPESHIFT & 0xff) == kUserfaultIoctls)
          userfault(static_cast<unsigned long>(a[1]), a[2]);
        break;
      default:
        break;
    }
  }

 private:
  static void mapping(long start, long bytes) {
    P::note_mapping(reinterpret_cast<const void*>(start), static_cast<size_t>(bytes));
  }
  static void flags(long start, long bytes) {
    P::note_flags(reinterpret_cast<const void*>(start), static_cast<size_t>(bytes));
  }
  static void pieces(const iovec* pieces, long count) {
    for (long i = 0; i < count && i < kMostPieces; ++i)
      P::note_flags(pieces[i].iov_base, pieces[i].iov_len);
  }
  static long segment_bytes(long segment) {
    shmid_ds about{};
    return sys::raw_syscall(SYS_shmctl, segment, IPC_STAT, sys::pointer_argument(&about)) == 0
               ? static_cast<long>(about.shm_segsz)
               : 0;
  }
  // Nothing is seen of another process's request through a descriptor of ours.
  static void userfault(unsigned long request, long argument) {
    P::note_unseen();
    if (request != UFFDIO_REGISTER || argument == 0) return;
    const auto* range = reinterpret_cast<const uffdio_range*>(argument);
    mapping(static_cast<long>(range->start), static_cast<long>(range->len));
  }
};

}  // namespace mmt::confine
