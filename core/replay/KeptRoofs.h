// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/model/Gpus.h"

namespace kinetoscope::replay {

/// One figure of a GPU, with the SM clock while it was measured.
struct MeasuredFigure {
    std::string operation;  ///< "copy", "triad" or "product"
    std::string type;       ///< of a product: "bf16"
    std::int64_t size = 0;  ///< bytes read and written, or rows of the square matrices
    double timeNs = 0.0;    ///< median; 0: it could not be measured
    double clockMhz = 0.0;  ///< mean; 0: not known
    double powerWatts = 0.0;
    std::string reason;  ///< why it could not be measured; else empty

    /// Bytes, or operations, a second; 0 where nothing was measured.
    [[nodiscard]] double rate() const;
};

/// The measured roof of one GPU of one machine.
struct MeasuredRoof {
    std::string device;  ///< "NVIDIA H200"
    std::string uuid;
    std::string created;  ///< UTC, ISO 8601
    std::string host;
    std::string torchVersion;
    std::uint64_t cacheBytes = 0;  ///< of the last cache before memory
    std::vector<MeasuredFigure> figures;

    /// The best copy or triad of tensors that no cache holds, four times as large together; 0
    /// without any.
    [[nodiscard]] double memoryBytesPerSecond() const;
    /// The same of those that fit into half of the cache.
    [[nodiscard]] double cacheBytesPerSecond() const;
    /// The best product of a type; null where none was measured.
    [[nodiscard]] const MeasuredFigure* best(std::string_view type) const;
    /// Each type of which there is a product, in the order of the figures.
    [[nodiscard]] std::vector<std::string> types() const;
    /// As a roof: anything not measured is unknown.
    [[nodiscard]] model::GpuRoof roof() const;
};

/// "kinetoscope.roof/1".
[[nodiscard]] std::string measuredRoofJson(const MeasuredRoof& roof);
/// Fails in one line on anything else.
[[nodiscard]] Result<MeasuredRoof> parseMeasuredRoof(std::string_view json);

/// Roofs that are kept in a folder, one file for each GPU by its UUID.
class KeptRoofs {
public:
    explicit KeptRoofs(std::string folder) : m_folder(std::move(folder)) {}

    /// "roofs" in $KINETOSCOPE_RESULTS, else in the user's folder of results.
    [[nodiscard]] static std::string defaultFolder();

    /// Whole or not at all, in place of an older one of the same GPU. Gives the path.
    [[nodiscard]] Result<std::string> keep(const MeasuredRoof& roof) const;
    /// All that can be read, the latest first.
    [[nodiscard]] std::vector<MeasuredRoof> list() const;
    /// The same, as what traces are held against.
    [[nodiscard]] std::vector<model::GpuRoof> roofs() const;

private:
    std::string m_folder;
};

}  // namespace kinetoscope::replay
