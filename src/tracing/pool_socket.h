// Where programs send the pools that they record in (trace/pool.h): a socket in a folder that none
// but this user reaches. Both are gone when the object is. What a killed recorder of the same user
// has left is removed; what others have there is left alone.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace mmt::tracing {

// A pool that came. The kernel says which process sends it.
struct AnnouncedPool {
  int descriptor = -1;   // the receiver's to close; -1: what came is no pool
  pid_t process = 0;     // 0: one that cannot be seen from here
  bool is_fork = false;  // the process says so
};

class PoolSocket {
 public:
  // Throws a Failure (125) when none can be made.
  explicit PoolSocket(bool has_sites);
  ~PoolSocket();
  PoolSocket(const PoolSocket&) = delete;
  PoolSocket& operator=(const PoolSocket&) = delete;

  // It is for kPoolVariable.
  const std::string& path() const { return path_; }
  // Readable when a pool has come.
  int news() const { return socket_; }
  // Nothing: none has come. Whether more may have.
  std::optional<AnnouncedPool> receive(bool& has_more);
  // No other program finds it.
  void hide();

 private:
  // False, with errno: not there.
  bool make_in(const std::string& parent, bool has_sites);

  std::string folder_;
  std::string path_;
  int lock_ = -1;  // the folder, held while it is in use
  int socket_ = -1;
};

}  // namespace mmt::tracing
