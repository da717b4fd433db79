#include <algorithm>
#include <exception>
#include <iostream>
#include <iterator>
#include <new>
#include <string>

#include <sys/resource.h>

#include "views/graph/layout/protocol.h"
#include "views/graph/layout/scene.h"

namespace {

constexpr int wrongRequest = 2;
constexpr int outOfMemory = 3;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/// Sanitizers take more address space than any limit for their own books.
void limitMemory(int /*megabytes*/) {}
#else
void limitMemory(int megabytes) {
    const rlim_t bytes = static_cast<rlim_t>(megabytes) << 20U;
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? bytes : std::min(bytes, limit.rlim_max);
    setrlimit(RLIMIT_AS, &limit);
}
#endif

}  // namespace

int main() {
    try {
        std::ios::sync_with_stdio(false);
        limitMemory(layout::Request{}.memoryMb);
        const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
        const layout::Request request = layout::parseRequest(text);
        limitMemory(request.memoryMb);
        const layout::Response response =
            layout::layoutScene(request, [](double fraction, std::string_view what) {
                std::cout << layout::progressLine(fraction, what) << std::flush;
            });
        std::cout << layout::toJson(response) << std::endl;
        return std::cout ? 0 : wrongRequest;
    } catch (const std::bad_alloc&) {
        std::cerr << "opscope-layout: out of memory\n";
        return outOfMemory;
    } catch (const std::exception& error) {
        std::cerr << "opscope-layout: " << error.what() << '\n';
        return wrongRequest;
    }
}
