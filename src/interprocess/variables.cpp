#include "interprocess/variables.h"

namespace mmt::options {
namespace {

constexpr bool kOwn = true;
constexpr bool kPeoples = false;

constexpr Variable kVariables[] = {
    {"MMT_OPTIONS", kPeoples, "options of the library, NAME=VALUE:NAME=VALUE"},
    {"MMT_NAME", kPeoples, "the option NAME of the library: MMT_DECAY=500"},  // for all of them
    {"MMT_LIBRARY", kPeoples, "the library that mmt run preloads"},
    {"MMT_BENCH_SUITES", kPeoples, "folder of the suites of mmt bench"},
    {"MMT_BENCH_WORKLOADS", kPeoples, "folder of the programs of mmt bench"},
    {"MMT_LAB", kPeoples, "folder of the laboratory"},
    {"MMT_LAB_PYTHON", kPeoples, "the Python that runs the laboratory"},
    {"MMT_LAB_TRACES", kPeoples, "folder of the traces that the laboratory keeps"},
    {"MMT_INSTALL", kPeoples, "0: make installs no packages"},
    {"COLUMNS", kPeoples, "width of tables where no terminal tells it"},
    {"NO_COLOR", kPeoples, "mmt bench prints without colours"},
    {"TMPDIR", kPeoples, "where temporary folders are made"},
    {"XDG_CACHE_HOME", kPeoples, "folder of traces and of peers that were built, as mmt/ in it"},
    {"XDG_CONFIG_HOME", kPeoples, "folder of mmt/mmt.toml"},
    {"MMT_PRELOADED", kOwn, "what mmt run has put into LD_PRELOAD"},
    {"MMT_PROTOCOL_OPTIONS", kOwn, "options of the protocol that mmt run was given"},
    {"MMT_BENCH_REPORT", kOwn, "file to which programs of mmt bench append what they measure"},
    {"MMT_BENCH_CALLS", kOwn, "file of the times that single calls took"},
    {"MMT_LAB_TRACE", kOwn, "file through which a program is recorded"},
    {"MMT_LAB_BINARY", kOwn, "mmt itself, for the laboratory"},
    {"MMT_LAB_LIBRARIES", kOwn, "folder of MMT's libraries"},
    {"MMT_LAB_WORKLOADS", kOwn, "folder of programs"},
    {"MMT_LAB_SUITES", kOwn, "folder of suites"},
    {"MMT_LAB_SCRIPTS", kOwn, "folder of scripts that suites name"},
    {"MMT_LAB_COMMIT", kOwn, "the commit that mmt was built of"},
    {"MMT_LAB_MEMORY", kOwn, "bytes that reading files may take"},
    {"MMT_STATISTICS_FILE", kOwn, "file of libmmt-statistics.so"},
    {"MMT_DELAY_NS", kOwn, "by how much libmmt-lea-delayed.so delays each call"},
    {"MMT_IDLE_THREAD", kOwn, "1: libmmt-lea-delayed.so has a thread that idles"},
    {"MMT_CEILING_MIB", kOwn, "how much libmmt-ceiling.so prepares"},
    {"MMT_SITE_PROGRAM", kOwn, "the mmt that prints tables of the pages"},
    {"MMT_POLICY_RC", kOwn, "what keeps services from being started as packages are installed"},
};

bool is_same(const char* name, Text other) {
  for (size_t i = 0; i < other.size; ++i)
    if (name[i] == '\0' || name[i] != other.data[i]) return false;
  return name[other.size] == '\0';
}

}  // namespace

Variables variables() { return {kVariables, sizeof kVariables / sizeof kVariables[0]}; }

bool is_variable(Text name) {
  for (const Variable& one : variables())
    if (is_same(one.name, name)) return true;
  return false;
}

}  // namespace mmt::options
