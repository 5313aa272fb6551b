// munge through libmunge, loaded at run time: a site with auth/slurm has none.
#pragma once

#include <string>

#include "base/status.hpp"

namespace yardmaster::cli::doctor {

/// Has the munged behind `socket` ("": libmunge's own default) encode a credential and decode it
/// again. Errors, with munge's reason: kNotFound without the library, kUnavailable when munged does
/// not answer or refuses, kTimeout. Forks: call it from a single-threaded process.
Status munge_round_trip(const std::string& socket);

}  // namespace yardmaster::cli::doctor
