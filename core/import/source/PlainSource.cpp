// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/PlainSource.h"

#include <cerrno>
#include <cstring>

namespace kinetoscope::import::source {

namespace {

class PlainRestart final : public RestartPoints {
public:
    [[nodiscard]] Restart before(std::uint64_t offset,
                                 std::shared_ptr<const InputFile> file) const override {
        return {std::make_unique<PlainSource>(std::move(file), offset), offset};
    }
};

}  // namespace

std::size_t PlainSource::read(char* to, std::size_t capacity) {
    const std::int64_t count = m_file->read(to, capacity, m_position);
    if (count < 0) {
        setIssue(trace::Issue::ReadError, std::strerror(errno));
        return 0;
    }
    m_position += static_cast<std::uint64_t>(count);
    return static_cast<std::size_t>(count);
}

std::unique_ptr<const RestartPoints> PlainSource::restartPoints() const {
    return std::make_unique<PlainRestart>();
}

}  // namespace kinetoscope::import::source
