#include "tests/support/process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/paths.h"

namespace test {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void become(const std::vector<std::string>& command) {
    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
}

}  // namespace

Process::Process(const std::vector<std::string>& command) : errors_(std::tmpfile()) {
    int down[2];
    int up[2];
    if (errors_ == nullptr || ::pipe2(down, O_CLOEXEC) != 0 || ::pipe2(up, O_CLOEXEC) != 0) {
        throw std::runtime_error(std::string("pipes: ") + std::strerror(errno));
    }
    process_ = ::fork();
    if (process_ == 0) {
        ::dup2(down[0], STDIN_FILENO);
        ::dup2(up[1], STDOUT_FILENO);
        ::dup2(::fileno(errors_), STDERR_FILENO);
        become(command);
    }
    ::close(down[0]);
    ::close(up[1]);
    input_ = down[1];
    output_ = up[0];
}

Process::~Process() {
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    closeInput();
    ::close(output_);
    std::fclose(errors_);
}

void Process::write(const std::string& text) const {
    // A program that has ended shows in what it answers.
    struct sigaction ignore {};
    struct sigaction before {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &before);
    [[maybe_unused]] const ssize_t written = ::write(input_, text.data(), text.size());
    ::sigaction(SIGPIPE, &before, nullptr);
}

void Process::closeInput() {
    if (input_ >= 0) ::close(input_);
    input_ = -1;
}

bool Process::readSome(Clock::time_point deadline) {
    while (true) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd waiting{.fd = output_, .events = POLLIN, .revents = 0};
        const int ready = left > 0 ? ::poll(&waiting, 1, static_cast<int>(left)) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) throw std::runtime_error("no output in time; so far: " + buffer_.substr(0, 200));
        char bytes[65536];
        const ssize_t count = ::read(output_, bytes, sizeof bytes);
        if (count > 0) buffer_.append(bytes, static_cast<size_t>(count));
        return count > 0;
    }
}

std::string Process::readLine() {
    const auto deadline = Clock::now() + std::chrono::seconds(60);
    while (buffer_.find('\n') == std::string::npos && readSome(deadline)) {
    }
    const size_t end = buffer_.find('\n');
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end == std::string::npos ? end : end + 1);
    return line;
}

void Process::signal(int number) const { ::kill(process_, number); }

double Process::processorSeconds() const {
    std::ifstream file("/proc/" + std::to_string(process_) + "/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream fields(text.substr(text.rfind(')') + 2));
    std::string skipped;
    for (int i = 0; i < 11; ++i) fields >> skipped;
    double user = 0;
    double system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

ProcessResult Process::wait() {
    closeInput();
    const auto deadline = Clock::now() + std::chrono::seconds(120);
    ProcessResult result;
    try {
        while (readSome(deadline)) {
        }
    } catch (const std::runtime_error&) {
        ::kill(process_, SIGKILL);
        result.errors = "(killed by the test after 120 s)\n";
    }
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    result.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    result.out = std::move(buffer_);
    std::rewind(errors_);
    char bytes[4096];
    while (const size_t count = std::fread(bytes, 1, sizeof bytes, errors_))
        result.errors.append(bytes, count);
    return result;
}

ProcessResult runProcess(const std::vector<std::string>& command, const std::string& input) {
    Process process(command);
    if (!input.empty()) process.write(input);
    return process.wait();
}

std::string cliPath() { return (binDir() / "opscope-cli").string(); }

ProcessResult runCli(std::vector<std::string> arguments, const std::string& input) {
    arguments.insert(arguments.begin(), cliPath());
    return runProcess(arguments, input);
}

}  // namespace test
