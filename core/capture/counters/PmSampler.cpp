// SPDX-License-Identifier: Apache-2.0
#include "core/capture/counters/PmSampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/base/Clock.h"

namespace kinetoscope::capture::counters {

namespace {

// Samples that one decoding takes; the data of one takes up to 20 KB.
constexpr std::uint32_t kMaxSamples = 4096;
constexpr std::size_t kBufferBytes = std::size_t{512} << 20U;
// The GPU's clock follows the host's; an offset beyond this is a clock that does not.
constexpr TimeNs kMaxClockOffset = 2'000'000;

std::vector<const char*> namesOf(std::span<const PmSampler::Chosen> metrics) {
    std::vector<const char*> names;
    for (const PmSampler::Chosen& metric : metrics) {
        names.push_back(metric.name.c_str());
    }
    return names;
}

}  // namespace

Result<std::unique_ptr<PmSampler>> PmSampler::open(const PmApi& api, std::uint32_t device,
                                                   const CounterRequest& request,
                                                   std::vector<std::string>& notes) {
    std::unique_ptr<PmSampler> sampler(new PmSampler(api));
    if (auto prepared = sampler->prepare(device, request, notes); !prepared) {
        return tl::unexpected(prepared.error());
    }
    return sampler;
}

PmSampler::~PmSampler() {
    stop();
    if (m_sampler != nullptr) {
        auto arguments = pm::arguments<pm::Start>();
        arguments.sampler = m_sampler;
        static_cast<void>(m_api.disable(&arguments));
    }
    freeHost(m_host);
}

Result<void> PmSampler::prepare(std::uint32_t device, const CounterRequest& request,
                                std::vector<std::string>& notes) {
    auto chip = pm::arguments<pm::ChipName>();
    chip.device = device;
    auto availability = pm::arguments<pm::Availability>();
    availability.device = device;
    if (const auto result = m_api.chipName(&chip); result != cupti::kSuccess) {
        return fail(m_api.problem("cuptiDeviceGetChipName", result));
    }
    m_chip = chip.name;
    cupti::Result result = m_api.availability(&availability);
    if (result == cupti::kSuccess) {
        m_availability.resize(availability.bytes);
        availability.image = m_availability.data();
        result = m_api.availability(&availability);
    }
    if (result != cupti::kSuccess) {
        return fail(m_api.problem("cuptiPmSamplingGetCounterAvailability", result));
    }
    if (auto configured = configure(request, notes); !configured) {
        return configured;
    }
    auto enable = pm::arguments<pm::Enable>();
    enable.device = device;
    result = m_api.enable(&enable);
    if (result != cupti::kSuccess) {
        return fail(m_api.problem("cuptiPmSamplingEnable", result));
    }
    m_sampler = enable.sampler;
    return {};
}

// Metric by metric: what does not fit into one pass with those before it is refused by the GPU.
Result<void> PmSampler::configure(const CounterRequest& request, std::vector<std::string>& notes) {
    for (const MetricGroup* group : request.groups) {
        bool known = false;
        bool fits = false;
        for (const Metric& metric : group->metrics) {
            for (const std::string_view name : metric.names) {
                m_chosen.push_back({&metric, std::string(name)});
                std::size_t passes = 0;
                pm::Host* host = makeHost(m_chosen);
                const bool good =
                    host != nullptr && configImage(host, m_config, passes) == cupti::kSuccess;
                freeHost(host);
                known |= good;
                if (good && passes == 1) {
                    fits = true;
                    break;
                }
                m_chosen.pop_back();
            }
        }
        if (!fits) {
            notes.push_back(known ? fmt::format("--counters: '{}' cannot be measured together with "
                                                "those before it; record it alone",
                                                group->word)
                                  : fmt::format("--counters: this GPU ({}) does not measure '{}'",
                                                m_chip, group->word));
        }
    }
    if (m_chosen.empty()) {
        return fail("none of the counters can be measured on this GPU");
    }
    m_names = namesOf(m_chosen);
    // The evaluator receives the metrics, and makes their image, as its samples are made.
    m_host = makeHost(m_chosen);
    std::size_t passes = 0;
    const bool good = m_host != nullptr && configImage(m_host, m_config, passes) == cupti::kSuccess;
    return good ? Result<void>() : fail("CUPTI cannot compute this GPU's metrics");
}

// One without metrics computes none.
pm::Host* PmSampler::makeHost(std::span<const Chosen> metrics) const {
    auto arguments = pm::arguments<pm::HostInitialize>();
    arguments.type = pm::kProfilerTypeSampling;
    arguments.chip = m_chip.c_str();
    arguments.availability = m_availability.data();
    if (m_api.hostInitialize(&arguments) != cupti::kSuccess) {
        return nullptr;
    }
    std::vector<const char*> names = namesOf(metrics);
    auto add = pm::arguments<pm::AddMetrics>();
    add.host = arguments.host;
    add.names = names.data();
    add.count = names.size();
    if (m_api.addMetrics(&add) != cupti::kSuccess) {
        freeHost(arguments.host);
        return nullptr;
    }
    return arguments.host;
}

void PmSampler::freeHost(pm::Host* host) const {
    if (host != nullptr) {
        auto arguments = pm::arguments<pm::HostOnly>();
        arguments.host = host;
        static_cast<void>(m_api.hostDeinitialize(&arguments));
    }
}

cupti::Result PmSampler::configImage(pm::Host* host, std::vector<std::uint8_t>& image,
                                     std::size_t& passes) const {
    auto size = pm::arguments<pm::ConfigSize>();
    size.host = host;
    cupti::Result result = m_api.configSize(&size);
    if (result == cupti::kSuccess) {
        image.resize(size.bytes);
        auto config = pm::arguments<pm::ConfigImage>();
        config.host = host;
        config.bytes = image.size();
        config.image = image.data();
        result = m_api.configImage(&config);
    }
    if (result == cupti::kSuccess) {
        auto count = pm::arguments<pm::Passes>();
        count.bytes = image.size();
        count.image = image.data();
        result = m_api.passes(&count);
        passes = count.passes;
    }
    return result;
}

cupti::Result PmSampler::clearData() {
    auto arguments = pm::arguments<pm::InitializeData>();
    arguments.sampler = m_sampler;
    arguments.bytes = m_data.size();
    arguments.data = m_data.data();
    return m_api.initializeData(&arguments);
}

Result<void> PmSampler::start(TimeNs interval) {
    auto config = pm::arguments<pm::SetConfig>();
    config.sampler = m_sampler;
    config.configBytes = m_config.size();
    config.config = m_config.data();
    config.bufferBytes = kBufferBytes;
    config.interval = static_cast<std::uint64_t>(interval);
    config.trigger = pm::kTriggerByTime;
    config.append = pm::kKeepOldest;
    if (const auto result = m_api.setConfig(&config); result != cupti::kSuccess) {
        return fail(m_api.problem("cuptiPmSamplingSetConfig", result));
    }
    auto size = pm::arguments<pm::DataSize>();
    size.sampler = m_sampler;
    size.names = m_names.data();
    size.count = m_names.size();
    size.maxSamples = kMaxSamples;
    if (const auto result = m_api.dataSize(&size); result != cupti::kSuccess) {
        return fail(m_api.problem("cuptiPmSamplingGetCounterDataSize", result));
    }
    m_data.resize(size.bytes);
    if (const auto result = clearData(); result != cupti::kSuccess) {
        return fail(m_api.problem("cuptiPmSamplingCounterDataImageInitialize", result));
    }
    auto start = pm::arguments<pm::Start>();
    start.sampler = m_sampler;
    if (const auto result = m_api.start(&start); result != cupti::kSuccess) {
        return fail(m_api.problem("cuptiPmSamplingStart", result));
    }
    m_startedAt = unixNow();
    m_running = true;
    m_first = true;
    m_overflowed = false;
    m_lastEnd = m_startedAt;
    m_gapNs = 0;
    return {};
}

void PmSampler::stop() {
    if (std::exchange(m_running, false)) {
        auto arguments = pm::arguments<pm::Start>();
        arguments.sampler = m_sampler;
        static_cast<void>(m_api.stop(&arguments));
        m_stoppedAt = unixNow();
    }
}

TimeNs PmSampler::missingNs() const {
    const TimeNs until = m_running ? unixNow() : m_stoppedAt;
    return m_gapNs + std::max<TimeNs>(0, until - m_lastEnd);
}

Result<PmSampler::Taken> PmSampler::take(const Take& take) {
    auto decode = pm::arguments<pm::Decode>();
    decode.sampler = m_sampler;
    decode.data = m_data.data();
    decode.bytes = m_data.size();
    const cupti::Result decoded = m_api.decode(&decode);
    m_overflowed = decode.overflow != 0 || decoded == pm::kOutOfMemory;
    if (m_overflowed) {
        return fail("the GPU's buffer of samples overflowed");
    }
    if (decoded != cupti::kSuccess) {
        return fail(m_api.problem("cuptiPmSamplingDecodeData", decoded));
    }
    auto info = pm::arguments<pm::DataInfo>();
    info.data = m_data.data();
    info.bytes = m_data.size();
    if (const auto result = m_api.dataInfo(&info); result != cupti::kSuccess) {
        return fail(m_api.problem("cuptiPmSamplingGetCounterDataInfo", result));
    }
    if (const auto result = handOver(info.completed, take); result != cupti::kSuccess) {
        return fail(m_api.problem("cuptiProfilerHostEvaluateToGpuValues", result));
    }
    if (const auto result = clearData(); result != cupti::kSuccess) {
        return fail(m_api.problem("cuptiPmSamplingCounterDataImageInitialize", result));
    }
    return Taken{info.completed, decode.stopReason == pm::kDataFull};
}

cupti::Result PmSampler::handOver(std::size_t count, const Take& take) {
    std::vector<double> values(m_names.size());
    for (std::size_t i = 0; i < count; ++i) {
        auto info = pm::arguments<pm::SampleInfo>();
        info.sampler = m_sampler;
        info.data = m_data.data();
        info.bytes = m_data.size();
        info.sample = i;
        auto evaluate = pm::arguments<pm::Evaluate>();
        evaluate.host = m_host;
        evaluate.data = m_data.data();
        evaluate.bytes = m_data.size();
        evaluate.names = m_names.data();
        evaluate.count = m_names.size();
        evaluate.sample = i;
        evaluate.values = values.data();
        cupti::Result result = m_api.sampleInfo(&info);
        if (result == cupti::kSuccess) {
            result = m_api.evaluate(&evaluate);
        }
        if (result != cupti::kSuccess) {
            return result;
        }
        const auto end = static_cast<TimeNs>(info.end);
        if (std::exchange(m_first, false)) {
            // It ends with the first trigger, which start() waits for.
            const TimeNs offset = m_startedAt - end;
            m_shift = std::abs(offset) > kMaxClockOffset ? offset : 0;
            continue;
        }
        const auto start = static_cast<TimeNs>(info.start);
        if (end <= start) {
            continue;
        }
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (m_chosen[k].metric->scale == Scale::BytesPerTime) {
                values[k] /= static_cast<double>(end - start);
            }
        }
        m_gapNs += std::max<TimeNs>(0, start + m_shift - m_lastEnd);
        m_lastEnd = end + m_shift;
        take({start + m_shift, end + m_shift, values});
    }
    return cupti::kSuccess;
}

}  // namespace kinetoscope::capture::counters
