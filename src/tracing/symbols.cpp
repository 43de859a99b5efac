#include "tracing/symbols.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "programs/elf.h"
#include "tracefile/memory_bound.h"

namespace mmt::tracing {
namespace {

constexpr int kMostMilliseconds = 60'000;  // for a file of gigabytes
// One message each way: a number and two texts, with a zero behind each.
constexpr std::size_t kMostBytes = std::size_t{128} << 10;
constexpr std::size_t kMostText = std::size_t{48} << 10;
using Message = std::array<char, kMostBytes>;

bool send(int connection, std::uint64_t number, std::string_view one, std::string_view other) {
  std::string text = fmt::format("{}", number);
  for (const std::string_view part : {one, other}) {
    text += '\0';
    text += part.substr(0, kMostText);
  }
  return ::send(connection, text.data(), text.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(text.size());
}

struct Received {
  std::uint64_t number = 0;
  std::string one;
  std::string other;
};

// Whether a message came.
bool receive(int connection, Received& received) {
  auto message = std::make_unique<Message>();
  const ssize_t size = ::recv(connection, message->data(), message->size(), 0);
  if (size <= 0) return false;
  const std::string_view text(message->data(), static_cast<std::size_t>(size));
  const std::size_t first = text.find('\0');
  const std::size_t second = first == text.npos ? text.npos : text.find('\0', first + 1);
  if (second == text.npos) return false;
  received.number = std::strtoull(text.data(), nullptr, 10);
  received.one = text.substr(first + 1, second - first - 1);
  received.other = text.substr(second + 1);
  return true;
}

// The system holds the bound: what libdw is refused it takes for the end.
void bound_memory() {
  const std::uint64_t bound = tracefile::MemoryBound::bytes();
  rlimit limit{};
  if (bound == 0 || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  unsigned long pages = 0;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%*u %*u %*u %*u %*u %lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  const rlim_t most = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + bound;
  if (most < limit.rlim_cur) limit.rlim_cur = most;
  ::setrlimit(RLIMIT_DATA, &limit);
}

constexpr std::string_view kFirstPage = "first page";

// Where the file's first page in memory would be, had the linker's addresses been kept; 0 where
// that is not known.
std::uint64_t first_page_of(const std::string& path) {
  const auto file = programs::ElfFile::open(path);
  const ElfW(Phdr)* const first = file ? file->image().segment(PT_LOAD) : nullptr;
  if (first == nullptr) return 0;
  return first->p_vaddr - first->p_vaddr % static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// In the other process: answers until nobody asks any more.
[[noreturn]] void answer(int connection, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  const rlimit none{};
  ::setrlimit(RLIMIT_CORE, &none);
  // What a library says before it gives up is not for the user.
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
  bound_memory();
  try {
    SymbolFiles files;
    for (Received asked; receive(connection, asked);) {
      const std::uint64_t base = asked.other == kFirstPage ? first_page_of(asked.one) : 0;
      const SymbolPlace place = files.at(asked.one, base + asked.number);
      if (!send(connection, static_cast<std::uint64_t>(place.line), place.function, place.file))
        break;
    }
  } catch (const std::exception&) {
    ::_exit(1);
  }
  ::_exit(0);
}

}  // namespace

bool Symbols::begin() {
  if (connection_ >= 0) return true;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  const pid_t parent = ::getpid();
  reader_ = ::fork();
  if (reader_ == 0) {
    ::close(ends[0]);
    answer(ends[1], parent);
  }
  ::close(ends[1]);
  connection_ = ends[0];
  if (reader_ > 0) return true;
  end();
  return false;
}

void Symbols::end() {
  if (connection_ >= 0) ::close(connection_);
  if (reader_ > 0) {
    ::kill(reader_, SIGKILL);
    ::waitpid(reader_, nullptr, 0);
  }
  connection_ = reader_ = -1;
}

SymbolPlace Symbols::at_distance(const std::string& path, std::uint64_t distance) {
  return ask(path, distance, kFirstPage);
}

SymbolPlace Symbols::ask(const std::string& path, std::uint64_t address,
                         std::string_view counted_from) {
  if (path.size() > kMostText || unreadable_.contains(path) || !begin()) return {};
  Received answer;
  bool is_told = send(connection_, address, path, counted_from);
  pollfd news{connection_, POLLIN, 0};
  is_told = is_told && ::poll(&news, 1, kMostMilliseconds) == 1 && receive(connection_, answer);
  if (!is_told) {
    unreadable_.insert(path);
    end();
    return {};
  }
  return {answer.one, answer.other, static_cast<int>(answer.number)};
}

}  // namespace mmt::tracing
