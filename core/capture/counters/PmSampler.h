// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/Time.h"
#include "core/capture/counters/CounterRequest.h"
#include "core/capture/counters/PmApi.h"

namespace kinetoscope::capture::counters {

/// Samples the hardware counters of one GPU, whoever works on it.
class PmSampler {
public:
    /// One metric that this GPU measures, together with the others, in one pass.
    struct Chosen {
        const Metric* metric = nullptr;
        std::string name;  ///< NVIDIA's
    };
    struct Sample {
        TimeNs start = 0;  ///< Unix time
        TimeNs end = 0;
        std::span<const double> values;  ///< one for each of chosen(), in the counter's unit
    };
    using Take = std::function<void(const Sample&)>;

    /// `device` is CUDA's number. What the GPU cannot measure in one pass with what stands before
    /// it is left out, with a line in `notes`. Fails when nothing is left, or it is not permitted.
    [[nodiscard]] static Result<std::unique_ptr<PmSampler>> open(const PmApi& api,
                                                                 std::uint32_t device,
                                                                 const CounterRequest& request,
                                                                 std::vector<std::string>& notes);
    PmSampler(const PmSampler&) = delete;
    PmSampler& operator=(const PmSampler&) = delete;
    ~PmSampler();

    [[nodiscard]] std::span<const Chosen> chosen() const { return m_chosen; }
    [[nodiscard]] Result<void> start(TimeNs interval);
    struct Taken {
        std::size_t samples = 0;
        bool full = false;  ///< as many as one call takes: there are more
    };
    /// Returns the next samples. Fails, with nothing lost of those already returned, if the GPU's
    /// buffer overflowed because they were not fetched in time.
    [[nodiscard]] Result<Taken> take(const Take& take);
    /// Time since start(), up to stop() where it has stopped, of which no sample was handed over.
    [[nodiscard]] TimeNs missingNs() const;
    [[nodiscard]] bool overflowed() const { return m_overflowed; }
    /// take() still gives what was measured up to here.
    void stop();

private:
    explicit PmSampler(const PmApi& api) : m_api(api) {}

    [[nodiscard]] Result<void> prepare(std::uint32_t device, const CounterRequest& request,
                                       std::vector<std::string>& notes);
    [[nodiscard]] Result<void> configure(const CounterRequest& request,
                                         std::vector<std::string>& notes);
    [[nodiscard]] cupti::Result configImage(pm::Host* host, std::vector<std::uint8_t>& image,
                                            std::size_t& passes) const;
    [[nodiscard]] pm::Host* makeHost(std::span<const Chosen> metrics) const;
    void freeHost(pm::Host* host) const;
    [[nodiscard]] cupti::Result clearData();
    [[nodiscard]] cupti::Result handOver(std::size_t count, const Take& take);

    const PmApi m_api;
    std::string m_chip;
    std::vector<std::uint8_t> m_availability;
    std::vector<Chosen> m_chosen;
    std::vector<const char*> m_names;  ///< of m_chosen
    std::vector<std::uint8_t> m_config;
    std::vector<std::uint8_t> m_data;
    pm::Host* m_host = nullptr;
    pm::Sampler* m_sampler = nullptr;
    bool m_running = false;
    bool m_first = false;  ///< the next sample began before sampling did
    bool m_overflowed = false;
    TimeNs m_shift = 0;  ///< from the GPU's clock to Unix time
    TimeNs m_startedAt = 0;
    TimeNs m_stoppedAt = 0;
    TimeNs m_lastEnd = 0;  ///< of the samples handed over
    TimeNs m_gapNs = 0;    ///< between them
};

}  // namespace kinetoscope::capture::counters
