// depot_fuzz SECONDS [SEED]: random operations on depots.
#include "depot/depot_state.h"
#include "driver/driver.h"

int main(int argc, char** argv) { return mmt::fuzz::fuzz<mmt::fuzz::DepotState>(argc, argv, 5000); }
