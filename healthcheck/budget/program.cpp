#include "healthcheck/budget/program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace yardmaster {

std::string become_program(std::vector<std::string> words, int fd) {
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    char* const environment[] = {nullptr};
    dup2(fd, STDOUT_FILENO);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    execve(arguments[0], arguments.data(), environment);
    return words[0] + ": " + std::strerror(errno);
}

std::string seconds_argument(std::chrono::milliseconds time) {
    return std::to_string(std::chrono::duration<double>(time).count());
}

}  // namespace yardmaster
