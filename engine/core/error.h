#pragma once

#include <exception>
#include <string>

#include "engine/core/text.h"

namespace engine {

/// The only error type: what went wrong, with the contexts it passed through on its way up, outermost first.
class Error : public std::exception {
public:
    explicit Error(std::string message) : message_(std::move(message)) {}

    /// Puts "context: " before the message. Called in `catch (Error& error)` blocks that end in `throw;`.
    void addContext(const std::string& context) { message_ = context + ": " + message_; }

    const char* what() const noexcept override { return message_.c_str(); }

private:
    std::string message_;
};

/// Throws an Error whose message is the parts joined.
template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
    throw Error(text(parts...));
}

}  // namespace engine
