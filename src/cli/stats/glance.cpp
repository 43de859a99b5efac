// Looking at one process, and the text that a child hands over.
#include "cli/stats/glance.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <exception>

#include <nlohmann/json.hpp>

#include "cli/command_line/byte_text.h"
#include "cli/stats/heap_in_process.h"
#include "cli/stats/stats_reader.h"
#include "command/failure.h"
#include "programs/process_maps.h"

namespace mmt::cli {

using command::Failure;
using programs::mapped_files;

namespace {

using Json = nlohmann::json;

// How long to wait for a program that has just been started, and between looks.
constexpr std::chrono::milliseconds kExecTime{200};
constexpr useconds_t kExecPauseUs = 5000;

void read_figures(pid_t process, bool is_patient, Glance& glance) {
  try {
    StatsReader reader(process, is_patient);
    glance.program = reader.program();
    glance.library = reader.library();
    glance.values = reader.read();
  } catch (const NotAllowed& failure) {
    glance.is_hidden = true;
    glance.failure = failure.what();
  } catch (const Failure& failure) {
    glance.failure = failure.what();
  }
}

}  // namespace

Glance glance_at(pid_t process) {
  Glance glance;
  read_figures(process, true, glance);
  glance.facts = process_facts(process);
  return glance;
}

Glance followed(pid_t process) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline = Clock::now() + kExecTime;
  Glance glance = glance_at(process);
  while (!glance.failure.empty() && Clock::now() < deadline) {
    if (has_ended(process)) return {};
    ::usleep(kExecPauseUs);
    glance = glance_at(process);
  }
  return glance;
}

Glance glance_at_any(pid_t process) {
  Glance glance;
  const auto files = mapped_files(process);
  glance.is_hidden = !files && (errno == EACCES || errno == EPERM);
  if (!files) return glance;
  const auto heap = heap_in_process(process, *files);
  if (!heap) return glance;
  glance.heap = heap->name;
  glance.is_native = heap->is_native;
  glance.is_outdated = heap->is_outdated();
  glance.facts = process_facts(process);
  if (heap->is_native) read_figures(process, false, glance);
  glance.library = heap->library;
  glance.program = glance.facts.program;
  return glance;
}

std::string text_of(const Glance& glance) {
  const ProcessFacts& facts = glance.facts;
  const Json json{text_of_bytes(glance.failure),
                  text_of_bytes(glance.program),
                  text_of_bytes(glance.library),
                  text_of_bytes(glance.heap),
                  glance.is_native,
                  glance.is_outdated,
                  glance.is_hidden,
                  glance.values,
                  text_of_bytes(facts.program),
                  facts.seconds,
                  facts.cpu_seconds,
                  facts.resident_bytes,
                  facts.resident_peak_bytes,
                  facts.page_faults,
                  facts.threads};
  return json.dump();
}

Glance glance_of(const std::optional<std::string>& text) {
  Glance glance;
  glance.is_late = true;
  if (!text) return glance;
  try {
    const Json json = Json::parse(*text);
    std::size_t at = 0;
    const auto next = [&]() -> const Json& { return json.at(at++); };
    const auto bytes = [&] { return bytes_of_text(next().get<std::string>()); };
    Glance seen;
    seen.failure = bytes();
    seen.program = bytes();
    seen.library = bytes();
    seen.heap = bytes();
    seen.is_native = next().get<bool>();
    seen.is_outdated = next().get<bool>();
    seen.is_hidden = next().get<bool>();
    seen.values = next().get<std::vector<std::uint64_t>>();
    seen.facts.program = bytes();
    seen.facts.seconds = next().get<double>();
    seen.facts.cpu_seconds = next().get<double>();
    seen.facts.resident_bytes = next().get<std::uint64_t>();
    seen.facts.resident_peak_bytes = next().get<std::uint64_t>();
    seen.facts.page_faults = next().get<std::uint64_t>();
    seen.facts.threads = next().get<std::uint64_t>();
    return seen;
  } catch (const std::exception&) {
    return glance;
  }
}

}  // namespace mmt::cli
