// Which files of a tree are opened while something runs, by whatever process.
#pragma once

#include <sys/inotify.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace yardmaster {

/// The regular files below `root` that are opened while `work` runs, each once, sorted. Links are
/// not followed: a file is named by where it lies. Empty when inotify is not to be had.
inline std::vector<std::string> opened_files(const std::string& root,
                                             const std::function<void()>& work) {
    namespace fs = std::filesystem;
    const int queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    std::map<int, fs::path> folders;  // by watch
    const auto watch = [&](const fs::path& folder) {
        folders[inotify_add_watch(queue, folder.c_str(), IN_OPEN)] = folder;
    };
    watch(root);
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (entry.is_directory() && !entry.is_symlink()) {
            watch(entry.path());
        }
    }
    work();
    std::set<std::string> files;
    alignas(inotify_event) char bytes[65536];
    for (ssize_t size = 0; (size = read(queue, bytes, sizeof bytes)) > 0;) {
        for (const char* at = bytes; at < bytes + size;) {
            const auto* event = reinterpret_cast<const inotify_event*>(at);
            if (event->len > 0 && (event->mask & IN_ISDIR) == 0) {
                files.insert(folders[event->wd] / event->name);
            }
            at += sizeof(inotify_event) + event->len;
        }
    }
    close(queue);
    return {files.begin(), files.end()};
}

}  // namespace yardmaster
