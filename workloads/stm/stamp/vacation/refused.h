// What vacation calls a number that its oracle asks for.
#pragma once

namespace mmt::workloads::stm::vacation {

// Reservations of what the customer has already, whose blocks were freed.
inline constexpr const char* kRefused = "refused and freed";

}  // namespace mmt::workloads::stm::vacation
