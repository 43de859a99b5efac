#include "cli/explain/input_lines.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "command/failure.h"

namespace mmt::cli {

using command::Failure;
using command::kFailed;

void for_each_line(int descriptor, const std::string& name,
                   const std::function<void(const InputLine&)>& take,
                   const std::function<void()>& pause) {
  std::string buffer(kLongestLine, '\0');
  std::size_t have = 0;
  bool is_begin = true;
  for (;;) {
    pause();
    const ssize_t got = ::read(descriptor, buffer.data() + have, buffer.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw Failure(kFailed, fmt::format("cannot read '{}': {}", name, std::strerror(errno)));
    if (got == 0) break;
    std::size_t looked = have;
    have += static_cast<std::size_t>(got);
    std::string_view rest(buffer.data(), have);
    for (std::size_t end; (end = rest.find('\n', looked)) != rest.npos; looked = 0) {
      take({rest.substr(0, end + 1), is_begin, is_begin});
      rest.remove_prefix(end + 1);
      is_begin = true;
    }
    if (rest.size() == buffer.size()) {
      take({rest, is_begin, false});
      is_begin = false;
      rest = {};
    }
    have = rest.size();
    if (have != 0) std::memmove(buffer.data(), rest.data(), have);
  }
  if (have != 0) take({{buffer.data(), have}, is_begin, is_begin});
}

}  // namespace mmt::cli
