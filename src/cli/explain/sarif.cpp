#include "cli/explain/sarif.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace mmt::cli {

using tracing::SymbolPlace;

namespace {

using Json = nlohmann::ordered_json;

// A path may be relative, where the compiler was told no other.
std::string uri_of(const std::string& path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (kPlain.find(c) != kPlain.npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

// The line, else the module, else the address.
Json physical(const CodePlace& place) {
  const SymbolPlace& names = place.names;
  if (!names.file.empty()) {
    Json json{{"artifactLocation", {{"uri", uri_of(names.file)}}}};
    if (names.line > 0) json["region"] = {{"startLine", names.line}};
    return json;
  }
  if (!place.module.empty()) return {{"artifactLocation", {{"uri", uri_of(place.module)}}}};
  return {{"address", {{"absoluteAddress", place.address}}}};
}

Json location(const CodePlace& place) {
  Json json{{"physicalLocation", physical(place)}};
  if (!place.names.function.empty()) {
    json["logicalLocations"] = {
        {{"fullyQualifiedName", place.names.function}, {"kind", "function"}}};
  }
  return json;
}

// What stays the same where the program runs again. Addresses do not.
std::string fingerprint(const HeapReport& report) {
  std::string print = report.kind_name();
  for (const Role role : kRoles) {
    print += ':';
    const CodePlace* const place = report.place(role);
    if (!place) continue;
    const std::string& path = place->module;
    print += fmt::format("{}+{:#x}", path.substr(path.rfind('/') + 1), place->offset);
  }
  return print;
}

// Where nobody called, it is shown at the call that freed the block, or allocated it.
Json locations(const HeapReport& report) {
  Json all = Json::array();
  for (const Role role : {Role::kFound, Role::kFreed, Role::kAllocated}) {
    if (report.place(role) && all.empty()) all.push_back(location(*report.place(role)));
  }
  return all;
}

Json related(const HeapReport& report) {
  Json all = Json::array();
  for (const Role role : {Role::kAllocated, Role::kFreed}) {
    if (!report.place(role)) continue;
    Json one{{"id", all.size()}};
    one.update(location(*report.place(role)));
    one["message"] = {{"text", line_of(report, role)}};
    all.push_back(std::move(one));
  }
  return all;
}

// Whole stacks, of what has more than one frame.
Json stacks(const HeapReport& report) {
  Json all = Json::array();
  for (const Role role : kRoles) {
    if (report.stack(role).size() < 2) continue;
    Json frames = Json::array();
    for (const CodePlace& one : report.stack(role)) frames.push_back({{"location", location(one)}});
    all.push_back({{"message", {{"text", line_of(report, role)}}}, {"frames", std::move(frames)}});
  }
  return all;
}

Json result(const HeapReport& report) {
  return {{"ruleId", report.kind_name()},
          {"ruleIndex", report.kind},
          {"level", "error"},
          {"message", {{"text", message_of(report)}}},
          {"locations", locations(report)},
          {"relatedLocations", related(report)},
          {"stacks", stacks(report)},
          {"partialFingerprints", {{"mmtPlaces/v1", fingerprint(report)}}}};
}

}  // namespace

Json sarif_of(const std::vector<HeapReport>& reports) {
  Json rules = Json::array();
  for (const FaultKind& one : fault_kinds()) {
    rules.push_back({{"id", one.name}, {"shortDescription", {{"text", one.help}}}});
  }
  Json results = Json::array();
  for (const HeapReport& one : reports) results.push_back(result(one));
  Json run{{"tool", {{"driver", {{"name", "mmt"}, {"version", MMT_VERSION}, {"rules", rules}}}}},
           {"results", results}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({std::move(run)})}};
}

}  // namespace mmt::cli
