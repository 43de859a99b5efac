#pragma once
// This is a part of a source, which does not compile alone.
// This is the kernel's side of moves in <mmt/sys/pages.h>, behind page_calls.h. A move of one
// mapping is done or not done. A move of several may stop half-way (Linux 6.17) or be refused
// (before), so they are moved one by one. A mapping that cannot be moved any more, since the
// process has as many mappings as it may have, is copied. Nothing is lost where it can be read.

// Present in the kernel since 5.7.
constexpr int kMremapDontUnmap = 4;
constexpr int kMoveTo = MREMAP_MAYMOVE | MREMAP_FIXED;
constexpr long kErrnoFault = -14;

static long remap(const void* at, size_t bytes, size_t new_bytes, int flags, const void* to) {
  return raw_syscall(SYS_mremap, pointer_argument(at), static_cast<long>(bytes),
                     static_cast<long>(new_bytes), flags, pointer_argument(to));
}

static MoveResult move_result(long result) {
  if (!failed(result)) return MoveResult::kMoved;
  // What a kernel without a flag, or a filter, says before anything is done.
  const bool untouched = result == kErrnoPermission || result == kErrnoAccess ||
                         result == kErrnoInvalid || result == kErrnoNoCall;
  return untouched ? MoveResult::kRefused : MoveResult::kFailed;
}

// Whether the range is one mapping, or part of one: only such a one could grow where it is. That it
// cannot, another mapping lying behind it, is the usual answer.
static bool is_one_mapping(char* at, size_t bytes) {
  const long result = remap(at, bytes, bytes + kPageSize, 0, nullptr);
  if (!failed(result)) unmap(at + bytes, kPageSize);
  return result != kErrnoFault;
}

// Bytes from the start that are one mapping, not always all that are; 0: nothing is mapped there.
static size_t mapped_as_one(char* at, size_t bytes) {
  for (; bytes > kPageSize; bytes = core::align_down(bytes / 2, kPageSize))
    if (is_one_mapping(at, bytes)) return bytes;
  return is_one_mapping(at, kPageSize) ? kPageSize : 0;
}

// A kernel that refuses to copy leaves it to the processor, as for any other copy.
bool copy_if_readable(void* to, const void* from, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    iovec local{static_cast<char*>(to) + done, bytes - done};
    iovec remote{static_cast<char*>(const_cast<void*>(from)) + done, bytes - done};
    const long copied =
        is_quiet() ? kErrnoNoCall
                   : raw_syscall(SYS_process_vm_readv, raw_syscall(SYS_getpid),
                                 pointer_argument(&local), 1, pointer_argument(&remote), 1, 0);
    if (copied == kErrnoFault || copied == 0) return false;
    if (failed(copied)) {
      memcpy(local.iov_base, remote.iov_base, local.iov_len);
      return true;
    }
    done += static_cast<size_t>(copied);
  }
  return true;
}

// It is called instead of a move that failed. False: the place is not mapped, or what is there
// cannot be read.
static bool copy_piece(char* from, char* to, size_t bytes) {
  return map_at(to, bytes) != MapResult::kNoMemory && copy_if_readable(to, from, bytes);
}

static void clear_piece(char* at, size_t bytes) {
  if (!discard(at, bytes)) memset(at, 0, bytes);
}

MoveResult move_pages(void* from, void* to, size_t bytes) {
  if (is_quiet()) return MoveResult::kRefused;  // no move is among the calls of any malloc
  auto* const source = static_cast<char*>(from);
  auto* const target = static_cast<char*>(to);
  for (size_t done = 0, piece; done < bytes; done += piece) {
    piece = mapped_as_one(source + done, bytes - done);
    if (piece == 0) piece = kPageSize;  // fails
    const long result =
        remap(source + done, piece, piece, kMoveTo | kMremapDontUnmap, target + done);
    if (!failed(result)) continue;
    if (done == 0) return move_result(result);
    if (copy_piece(source + done, target + done, piece)) {
      clear_piece(source + done, piece);
      continue;
    }
    memcpy(source, target, done);
    return MoveResult::kFailed;
  }
  return MoveResult::kMoved;
}

MoveResult move_mapping(void* from, size_t bytes, void* to, size_t new_bytes) {
  if (is_quiet()) return MoveResult::kRefused;
  return move_result(remap(from, bytes, new_bytes, kMoveTo, to));
}

// Whether the process may have some mappings more, as moves need them for a moment.
static bool has_spare_mappings() {
  constexpr size_t kPages = 17;  // in turn of two kinds, so that they do not merge
  auto* const at = static_cast<char*>(map_anywhere(kPages * kPageSize));
  if (at == nullptr) return false;
  bool has = true;
  for (size_t i = 1; i < kPages && has; i += 2)
    has =
        raw_syscall(SYS_mprotect, pointer_argument(at + i * kPageSize), kPageSize, PROT_NONE) == 0;
  unmap(at, kPages * kPageSize);
  return has;
}

// Without kMremapDontUnmap, with which the kernel counts locked pages wrongly.
static bool move_piece(char* from, char* to, size_t bytes) {
  if (!failed(remap(from, bytes, bytes, kMoveTo, to))) return true;
  if (!copy_piece(from, to, bytes)) return false;
  unmap(from, bytes);
  return true;
}

MoveResult move_pieces(void* from, void* to, size_t bytes) {
  if (is_quiet() || !has_spare_mappings()) return MoveResult::kRefused;
  auto* const source = static_cast<char*>(from);
  auto* const target = static_cast<char*>(to);
  size_t done = 0;
  for (size_t piece; done < bytes; done += piece == 0 ? kPageSize : piece) {
    piece = mapped_as_one(source + done, bytes - done);
    if (piece != 0 && !move_piece(source + done, target + done, piece)) break;
  }
  if (done >= bytes) return MoveResult::kMoved;
  while (done != 0) {
    done -= kPageSize;
    if (map_at(source + done, kPageSize) == MapResult::kMapped)
      move_piece(target + done, source + done, kPageSize);
  }
  return MoveResult::kRefused;
}

static bool is_zero(const char* page) {
  return page[0] == 0 && memcmp(page, page + 1, kPageSize - 1) == 0;
}

// By a copy: pages that were first touched in different mappings stay in different ones wherever
// they are moved. What reads as zero, touched or not, takes no memory.
bool join_mappings(void* at, size_t bytes) {
  auto* const source = static_cast<char*>(at);
  if (is_quiet() || is_one_mapping(source, bytes)) return true;
  auto* const copy = static_cast<char*>(map_anywhere(bytes));
  if (copy == nullptr) return false;
  for (size_t i = 0; i < bytes; i += kPageSize)
    if (!is_zero(source + i)) memcpy(copy + i, source + i, kPageSize);
  if (!failed(remap(copy, bytes, bytes, kMoveTo, at))) return true;
  unmap(copy, bytes);
  return false;
}
