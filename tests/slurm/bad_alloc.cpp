// For LD_PRELOAD into slurmctld, which is C: only our plugins call operator new. While the file
// that YM_BAD_ALLOC names exists, one allocation in a few hundred fails, at places that differ from
// run to run of the code; the next ones succeed, so that the handling of the error is not hit too.
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constexpr unsigned kQuietAfterwards = 200;
constexpr unsigned kOneIn = 311;

bool fails_now() {
    static const char* const file = std::getenv("YM_BAD_ALLOC");
    static std::atomic<unsigned> seed{1};
    static std::atomic<unsigned> quiet{0};
    if (file == nullptr || access(file, F_OK) != 0) {
        return false;
    }
    if (quiet > 0) {
        --quiet;
        return false;
    }
    seed = seed * 1103515245U + 12345U;
    if (seed / 65536U % kOneIn != 0) {
        return false;
    }
    quiet = kQuietAfterwards;
    return true;
}

}  // namespace

void* operator new(std::size_t size) {
    void* memory = fails_now() ? nullptr : std::malloc(size > 0 ? size : 1);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
