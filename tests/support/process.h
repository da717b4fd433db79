#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace test {

/// How a program ended.
struct ProcessResult {
    int status = -1;  ///< exit status, or 128 + signal, as a shell says it
    std::string out = {};
    std::string errors = {};
};

/// A program that runs beside the test. Ended by the destructor if it still runs.
class Process {
public:
    explicit Process(const std::vector<std::string>& command);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    void write(const std::string& text) const;
    void closeInput();
    /// The next line of its standard output, without the line feed; what it has written if it ends before.
    /// Throws std::runtime_error after 60 s.
    std::string readLine();
    void signal(int number) const;
    /// Processor time that it has used so far.
    double processorSeconds() const;
    /// Waits for its end, 120 s at most (then it is killed). Its standard input is closed first.
    ProcessResult wait();

private:
    bool readSome(std::chrono::steady_clock::time_point deadline);

    int process_ = 0;
    int input_ = -1;
    int output_ = -1;
    std::FILE* errors_ = nullptr;
    std::string buffer_;
};

/// Runs a program to its end.
ProcessResult runProcess(const std::vector<std::string>& command, const std::string& input = "");

/// Runs opscope-cli with these arguments.
ProcessResult runCli(std::vector<std::string> arguments, const std::string& input = "");
std::string cliPath();

}  // namespace test
