// Files of the node that are replaced as a whole; most of them only their owner may read.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/status.hpp"

namespace yardmaster {

/// Writes <directory>/<name> whole or not at all (a temporary file, fsync, then rename), mode 0600;
/// a file or link that was there is replaced, never followed. A missing directory is made with mode
/// 0700. `name` must be safe as a part of a path. May block as long as the file system does.
/// kUnreadable with the system's reason.
Status write_private_file(const std::string& directory,
                          const std::string& name,
                          const std::string& text);

/// The same with another mode, in a directory that must be there.
Status replace_file(const std::string& directory,
                    const std::string& name,
                    const std::string& text,
                    mode_t mode);

/// Makes `directory` with mode 0700 (its parents with the usual one) where there is none.
/// kUnreadable with the system's reason.
Status make_private_directory(const std::string& directory);

/// The whole of a regular file that is ours (the process's user) and that nobody else can write to,
/// at most `limit` bytes long; no link is followed. Errors: kNotFound; kMalformed when it is
/// something else or too long; kUnreadable with the system's reason.
Result<std::string> read_private_file(const std::string& file, std::size_t limit);

}  // namespace yardmaster
