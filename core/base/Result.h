// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace kinetoscope {

enum class ErrorKind {
    BadInput,   ///< the caller's file or option is wrong; exit code 2
    Output,     ///< a result could not be written; exit code 1
    Cancelled,  ///< the user asked to stop; nothing is wrong
};

/// One line for a person: what is wrong, where, and what to do.
struct Error {
    std::string message;
    ErrorKind kind = ErrorKind::BadInput;
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(std::string message,
                                                ErrorKind kind = ErrorKind::BadInput) {
    return tl::unexpected<Error>(Error{std::move(message), kind});
}

}  // namespace kinetoscope
