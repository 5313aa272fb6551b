// Certain faults, put into readings at a random place.
#pragma once

#include "tests/faults/random_readings.hpp"
#include "tests/sim/model.hpp"

namespace yardmaster::faults {

/// What must be found.
struct Planted {
    std::string object;  ///< "GPU3", "mlx5_3"
    std::string sign;    ///< Finding::sign
};

struct CertainFault {
    const char* name;
    /// Whether the model can have it.
    bool (*exists)(const sim::SimModel& model);
    Planted (*plant)(RandomReadings& random, Drawn& drawn);
};

/// GPU or NIC missing, port down, rate or width stepped down, NVLink inactive, fabric unhealthy,
/// recovery action, remap failed, memory errors, no GID.
const std::vector<CertainFault>& certain_faults();

}  // namespace yardmaster::faults
