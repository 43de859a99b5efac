// region_fuzz SECONDS [SEED]: random operations on regions, by two threads each.
#include "driver/driver.h"
#include "region/region_state.h"

int main(int argc, char** argv) { return mmt::fuzz::fuzz<mmt::fuzz::RegionState>(argc, argv, 300); }
