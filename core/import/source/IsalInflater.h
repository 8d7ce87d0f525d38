// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <isa-l/igzip_lib.h>

#include "core/import/source/Inflater.h"

namespace kinetoscope::import::source {

/// Intel's library. Its state is plain memory, the last 32 KiB of text included: 100 KiB a copy.
class IsalInflater final : public Inflater {
public:
    IsalInflater();

    [[nodiscard]] InflateState inflate(InflateSpans& spans) override;
    void startMember() override;
    [[nodiscard]] std::unique_ptr<Inflater> copy() const override;

private:
    inflate_state m_state{};  // a damaged stream may read of it what its initialisation leaves out
    isal_gzip_header m_header{};
};

}  // namespace kinetoscope::import::source
