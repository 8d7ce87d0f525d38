// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include "core/import/source/Inflater.h"

namespace kinetoscope::import::source {

/// What every distribution has. 40 KiB a copy.
class ZlibInflater final : public Inflater {
public:
    ZlibInflater();
    ~ZlibInflater() override;

    [[nodiscard]] InflateState inflate(InflateSpans& spans) override;
    void startMember() override;
    [[nodiscard]] std::unique_ptr<Inflater> copy() const override;

private:
    struct Uninitialised {};
    explicit ZlibInflater(Uninitialised) {}

    z_stream m_stream{};
};

}  // namespace kinetoscope::import::source
