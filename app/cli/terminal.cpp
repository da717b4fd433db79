#include "app/cli/terminal.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>

#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#include "engine/core/error.h"

namespace cli {
namespace {

constexpr std::chrono::milliseconds firstDraw{300};
constexpr std::chrono::milliseconds betweenDraws{100};
constexpr int graceMicroseconds = 30'000;  // freeing the memory takes as long again
constexpr char eraseLine[] = "\r\x1b[K";
constexpr char cancelledText[] = "opscope-cli: cancelled\n";

std::atomic<int> signalCaught{0};
std::atomic<bool> barIsDrawn{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

[[noreturn]] void endNow() {
    if (barIsDrawn.load()) {
        // Nothing is left to do about a failure.
        [[maybe_unused]] const ssize_t erased = ::write(STDERR_FILENO, eraseLine, sizeof eraseLine - 1);
    }
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, cancelledText, sizeof cancelledText - 1);
    ::_exit(128 + signalCaught.load());
}

void onSignal(int number) {
    if (signalCaught.exchange(number) != 0) endNow();
    const itimerval grace{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = graceMicroseconds}};
    ::setitimer(ITIMER_REAL, &grace, nullptr);
}

void onAlarm(int /*number*/) { endNow(); }

size_t terminalWidth() {
    winsize size{};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

}  // namespace

Terminal::Terminal() : isShown_(::isatty(STDERR_FILENO) != 0), nextDraw_(Clock::now() + firstDraw) {}

Terminal::~Terminal() { clear(); }

bool Terminal::cancelled() const { return caughtSignal() != 0; }

void Terminal::progress(double fraction, std::string_view what) {
    if (!isShown_) return;
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = Clock::now();
    if (now < nextDraw_) return;
    nextDraw_ = now + betweenDraws;
    constexpr size_t width = 24;
    const auto filled = static_cast<size_t>(std::clamp(fraction, 0.0, 1.0) * width);
    std::string line = eraseLine;
    for (size_t i = 0; i < width; ++i) line += i < filled ? "▓" : "░";
    const size_t space = terminalWidth();
    line += ' ';
    if (space > width + 2) line += what.substr(0, space - width - 2);
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
    isDrawn_ = true;
    barIsDrawn = true;
}

void Terminal::clear() {
    const std::lock_guard lock(mutex_);
    if (!isDrawn_) return;
    std::fputs(eraseLine, stderr);
    std::fflush(stderr);
    isDrawn_ = false;
    barIsDrawn = false;
}

bool QuietObserver::cancelled() const { return caughtSignal() != 0; }

void watchSignals() {
    struct sigaction action {};
    sigfillset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    action.sa_handler = onAlarm;
    ::sigaction(SIGALRM, &action, nullptr);
    action.sa_handler = onSignal;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    // A file that may not grow is an error of the write.
    std::signal(SIGXFSZ, SIG_IGN);
}

int caughtSignal() { return signalCaught.load(std::memory_order_relaxed); }

void flushOutput() {
    std::cout.flush();
    if (!std::cout) engine::fail("standard output: writing failed");
}

}  // namespace cli
