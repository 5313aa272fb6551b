#include <iostream>

#include "cli/app.hpp"

int main(int argc, char** argv) {
    using namespace yardmaster::cli;
    const Console console{std::cout, std::cerr, locale_is_utf8()};
    return run_app({argv + 1, argv + argc}, &connect_to_slurm, console);
}
