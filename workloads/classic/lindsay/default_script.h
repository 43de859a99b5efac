// data/exchange.cube, put into the program when it is built.
#pragma once

namespace mmt::workloads::classic::lindsay {

extern const char* const kDefaultScript;

}  // namespace mmt::workloads::classic::lindsay
