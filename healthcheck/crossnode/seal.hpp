// How the probes of a meeting know each other: by munge, as Slurm's own daemons do.
#pragma once

#include <memory>
#include <string>

#include "base/status.hpp"

namespace yardmaster {

/// Makes credentials of texts, and texts of credentials. Calls block for as long as munged takes;
/// libmunge 0.5 gives up after 2 s when nobody listens, and after 10 s when munged does not answer.
class Seal {
  public:
    virtual ~Seal() = default;
    /// A credential that only a holder of the cluster's munge key can make or read: `text` is
    /// encrypted and signed with this process's uid and the time. kUnavailable with munge's words.
    virtual Result<std::string> close(const std::string& text) = 0;
    /// The text of a credential. kUnavailable for one that is forged, expired, or opened before on
    /// this node; for one of another user than this process's; and when munged does not answer.
    virtual Result<std::string> open(const std::string& credential) = 0;
};

/// libmunge from `library` (a name or a path for dlopen), with munged at `socket`; "" for munge's
/// default. kNotFound when the library, or a function in it, is not there.
Result<std::unique_ptr<Seal>> make_munge_seal(const std::string& library,
                                              const std::string& socket);

}  // namespace yardmaster
