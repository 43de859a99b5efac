// slot_map_fuzz SECONDS [SEED]: random operations on slot maps.
#include "driver/driver.h"
#include "slot_map/slot_map_state.h"

int main(int argc, char** argv) {
  return mmt::fuzz::fuzz<mmt::fuzz::SlotMapState>(argc, argv, 3000);
}
