#include "command/did_you_mean.h"

#include <fmt/format.h>

#include "interprocess/nearest.h"

namespace mmt::command {

std::string nearest(std::string_view word, std::span<const std::string> names) {
  options::Nearest nearest({word.data(), word.size()});
  for (const std::string& name : names) nearest.offer({name.data(), name.size()});
  return {nearest.word().data, nearest.word().size};
}

std::string did_you_mean(std::string_view word, std::span<const std::string> names) {
  const std::string name = nearest(word, names);
  return name.empty() ? "" : fmt::format("; did you mean '{}'?", name);
}

}  // namespace mmt::command
