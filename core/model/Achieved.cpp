// SPDX-License-Identifier: Apache-2.0
#include "core/model/Achieved.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "core/base/Time.h"

namespace kinetoscope::model {

namespace {

/// Rows of one kind: the calls that are known, and the time of the others by why they are not.
class Gathered {
public:
    Gathered(const trace::Trace& trace, const LaunchedCalls& calls,
             const std::vector<DeviceRoof>& roofs)
        : m_rows(trace, calls, roofs) {}

    void add(std::uint64_t key, const LaunchedCall& call, const CallPart& part) {
        Entry& entry = m_entries[key];
        if (call.missing == Missing::Nothing) {
            entry.number = m_rows.add(key, {}, call, part);
        } else {
            TimeNs& time = entry.missing[static_cast<std::size_t>(call.missing)];
            time = addTime(time, part.timeNs);
        }
    }

    template <class Take>
    void each(Take take) {
        std::vector<RooflineRow> rows = m_rows.take();
        for (const auto& [key, entry] : m_entries) {
            Achieved one;
            if (entry.number) {
                one.row = std::move(rows[*entry.number]);
            }
            const auto most = std::ranges::max_element(entry.missing);
            one.missing = *most > 0 || !entry.number
                              ? static_cast<Missing>(most - entry.missing.begin())
                              : Missing::Nothing;
            one.missingNs =
                std::accumulate(entry.missing.begin(), entry.missing.end(), TimeNs{0}, addTime);
            take(key, std::move(one));
        }
    }

private:
    struct Entry {
        std::optional<std::uint32_t> number;  ///< of its row
        std::array<TimeNs, 5> missing{};      ///< by Missing
    };

    RooflineRows m_rows;
    std::unordered_map<std::uint64_t, Entry> m_entries;
};

std::uint64_t joined(std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{high} << 32U | low;
}

template <class Names>
const Achieved* found(const Names& names, std::string_view name) {
    const auto at = names.find(name);
    return at == names.end() ? nullptr : &at->second;
}

}  // namespace

AchievedTable::AchievedTable(const trace::Trace& trace, const LaunchedCalls& calls,
                             std::span<const GpuRoof> measured)
    : m_roofs(roofsOf(trace, calls, measured)),
      m_kernelNs(calls.kernelNs),
      m_modelledNs(calls.modelledNs),
      m_bytesOnlyNs(calls.bytesOnlyNs) {
    const std::vector<std::uint32_t> shapes = sameShapes(calls, false);
    Gathered ofGpu(trace, calls, m_roofs);
    Gathered kernels(trace, calls, m_roofs);
    Gathered operators(trace, calls, m_roofs);
    Gathered byShape(trace, calls, m_roofs);
    std::unordered_map<std::uint32_t, const CallShape*> shapeOf;
    for (const LaunchedCall& call : calls.calls) {
        const KernelParts parts(trace, calls, call);
        for (std::uint32_t place = call.begin; place < call.end; ++place) {
            const CallPart part = parts.at(place);
            const NameId kernel = trace.nameId(part.longest);
            ofGpu.add(joined(kernel, static_cast<std::uint32_t>(call.gpu)), call, part);
            kernels.add(kernel, call, part);
        }
        if (call.slice == trace::kNoSlice) {
            continue;
        }
        const CallPart whole = wholeCall(trace, calls, call);
        operators.add(call.name, call, whole);
        if (call.shape != kNoShape) {
            shapeOf.try_emplace(shapes[call.shape], &calls.shapes[call.shape]);
            byShape.add(shapes[call.shape], call, whole);
        }
    }
    ofGpu.each([&](std::uint64_t key, Achieved one) {
        const auto gpu = static_cast<std::int32_t>(static_cast<std::uint32_t>(key));
        m_kernelsOfGpu[gpu].emplace(trace.text(static_cast<NameId>(key >> 32U)), std::move(one));
    });
    kernels.each([&](std::uint64_t key, Achieved one) {
        m_kernels.emplace(trace.text(static_cast<NameId>(key)), std::move(one));
    });
    operators.each([&](std::uint64_t key, Achieved one) {
        m_operators.emplace(trace.text(static_cast<NameId>(key)), std::move(one));
    });
    byShape.each([&](std::uint64_t key, Achieved one) {
        const CallShape& shape = *shapeOf.at(static_cast<std::uint32_t>(key));
        m_shapes[std::string(trace.text(shape.name))].emplace(shape.shapes, std::move(one));
    });
}

const Achieved* AchievedTable::ofKernel(std::string_view name, std::int32_t gpu) const {
    const auto kernels = m_kernelsOfGpu.find(gpu);
    return kernels == m_kernelsOfGpu.end() ? nullptr : found(kernels->second, name);
}

const Achieved* AchievedTable::ofKernel(std::string_view name) const {
    return found(m_kernels, name);
}

const Achieved* AchievedTable::ofOperator(std::string_view name) const {
    return found(m_operators, name);
}

// Shapes are only read of operators that have a row.
const Achieved* AchievedTable::ofOperator(std::string_view name, std::string_view shapes) const {
    if (const auto known = m_shapes.find(name); known != m_shapes.end()) {
        return found(known->second, shapes);
    }
    return ofOperator(name);
}

}  // namespace kinetoscope::model
