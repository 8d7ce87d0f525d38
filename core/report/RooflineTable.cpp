// SPDX-License-Identifier: Apache-2.0
#include "core/report/RooflineTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/text/Format.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::report {

namespace {

using model::RooflineRow;

RooflineValue textOrNothing(const std::string& text) {
    return text.empty() ? RooflineValue() : RooflineValue(text);
}

// Operations and what is computed from them; nothing where they are unknown.
template <class Value>
RooflineValue ofFlops(const RooflineRow& row, Value value) {
    return row.hasFlops() ? RooflineValue(value) : RooflineValue();
}

constexpr const char* kUnknown = "–";

std::string percent(double share) {
    return fmt::format("{:.1f}", 100.0 * share);
}

std::string ofRoof(const RooflineRow& row) {
    return row.efficiency ? percent(*row.efficiency) : "";
}

bool isTime(const RooflineColumn& column) {
    return column.unit == "ns";
}

std::optional<double> measuredRate(const RooflineRow& row) {
    return row.measuredNs > 0 ? std::optional(static_cast<double>(row.measuredBytes) /
                                              static_cast<double>(row.measuredNs))
                              : std::nullopt;
}

std::optional<double> modelByMeasured(const RooflineRow& row) {
    return row.measuredBytes > 0 ? std::optional(static_cast<double>(row.measuredModelBytes) /
                                                 static_cast<double>(row.measuredBytes))
                                 : std::nullopt;
}

constexpr auto kColumns = std::to_array<RooflineColumn>({
    {"name", "Name", "", "", [](const RooflineRow& row) { return RooflineValue(row.name); },
     [](const RooflineRow& row) { return text::printable(row.name); }},
    {"shapes", "Shapes", "", "", [](const RooflineRow& row) { return textOrNothing(row.shapes); },
     [](const RooflineRow& row) { return text::printable(row.shapes); }, 3},
    {"types", "Types", "",
     "Data types of the input tensors, in order; empty if calls of the row differ.",
     [](const RooflineRow& row) { return textOrNothing(row.types); }, nullptr},
    {"peak", "Peak", "",
     "Data type of the peak used as the roof: that of the inputs for matrix products (tf32 if a "
     "kernel's name shows that tensor cores multiplied Float), fp32 or fp64 for everything else; "
     "empty if calls of the row differ.",
     [](const RooflineRow& row) { return textOrNothing(row.peak); },
     [](const RooflineRow& row) { return row.peak; }, 5},
    {"count", "Count", "", "", [](const RooflineRow& row) { return RooflineValue(row.count); },
     [](const RooflineRow& row) { return text::formatCount(static_cast<std::int64_t>(row.count)); },
     2},
    {"time_ns", "Time", "ns",
     "Union of the GPU operations a call launched directly, summed over the calls.",
     [](const RooflineRow& row) { return RooflineValue(static_cast<std::uint64_t>(row.timeNs)); },
     nullptr},
    {"flops", "FLOPs", "",
     "Necessary operations. Matrix products and convolutions: two per multiply-add; attention: "
     "only the pairs that its mask or window leaves; everything else: a number per element given "
     "in docs/roofline.md. Those of Triton's generated kernels are unknown.",
     [](const RooflineRow& row) { return ofFlops(row, row.flops); }, nullptr},
    {"flops_counted", "FLOPs counted", "",
     "What PyTorch's FlopCounterMode counts: matrix products, convolutions and attention, the "
     "latter as if nothing were masked.",
     [](const RooflineRow& row) { return RooflineValue(row.countedFlops); }, nullptr},
    {"bytes", "Bytes", "bytes",
     "Every distinct element of each input once and every element of each output once; nothing for "
     "views, the gathered elements for gathers.",
     [](const RooflineRow& row) { return RooflineValue(row.bytes); }, nullptr},
    {"tflop_per_s", "TFLOP/s", "", "FLOPs divided by time, in 10^12 per second.",
     [](const RooflineRow& row) { return ofFlops(row, row.teraflopsPerSecond()); },
     [](const RooflineRow& row) {
         return row.hasFlops() ? fmt::format("{:.2f}", row.teraflopsPerSecond()) : kUnknown;
     }},
    {"gb_per_s", "GB/s", "", "Bytes divided by time, in 10^9 per second.",
     [](const RooflineRow& row) { return RooflineValue(row.gigabytesPerSecond()); },
     [](const RooflineRow& row) { return fmt::format("{:.0f}", row.gigabytesPerSecond()); }},
    {"intensity", "FLOP/B", "", "FLOPs for each byte.",
     [](const RooflineRow& row) {
         return row.intensity() ? RooflineValue(*row.intensity()) : RooflineValue();
     },
     [](const RooflineRow& row) {
         return row.intensity()  ? fmt::format("{:.1f}", *row.intensity())
                : row.hasFlops() ? std::string()
                                 : std::string(kUnknown);
     },
     4},
    {"bound", "Bound", "",
     "compute: the operations take longer at the peak than the bytes at the bandwidth; memory: the "
     "other way round; latency: calls below 5 µs that reach half of neither; link: copies to or "
     "from the host and collectives, which are not bound by this GPU's roofs; unknown: no roof is "
     "known.",
     [](const RooflineRow& row) { return RooflineValue(std::string(model::boundName(row.bound))); },
     [](const RooflineRow& row) { return std::string(model::boundName(row.bound)); }, 1},
    {"efficiency", "% of roof", "",
     "Time at the roof divided by time: for each call, the larger of FLOPs / peak and bytes / "
     "memory bandwidth. Values above 1 come with a note that says why.",
     [](const RooflineRow& row) {
         return row.efficiency ? RooflineValue(*row.efficiency) : RooflineValue();
     },
     ofRoof},
    {"recoverable_ns", "Recoverable", "ns",
     "Time above that at the roof, summed over the calls that take longer: the most that could be "
     "saved. Nothing where no roof is known.",
     [](const RooflineRow& row) {
         return row.recoverableNs ? RooflineValue(static_cast<std::uint64_t>(*row.recoverableNs))
                                  : RooflineValue();
     },
     nullptr},
    {"measured_count", "Measured", "",
     "Launches whose memory traffic was measured: DRAM bandwidth counters were sampled at least "
     "five times while the launch had the GPU to itself.",
     [](const RooflineRow& row) { return RooflineValue(row.measuredCount); }, nullptr},
    {"measured_bytes", "Measured bytes", "bytes",
     "Bytes these launches read from and wrote to GPU memory, by its counters.",
     [](const RooflineRow& row) {
         return row.measuredCount > 0 ? RooflineValue(row.measuredBytes) : RooflineValue();
     },
     nullptr},
    {"measured_gb_per_s", "Measured GB/s", "",
     "Measured bytes divided by the time of these launches.",
     [](const RooflineRow& row) {
         return measuredRate(row) ? RooflineValue(*measuredRate(row)) : RooflineValue();
     },
     [](const RooflineRow& row) {
         return measuredRate(row) ? fmt::format("{:.0f}", *measuredRate(row)) : std::string();
     }},
    {"modelled_by_measured", "Model/measured", "",
     "Modelled bytes divided by measured bytes of the same launches: above 1, caches saved traffic "
     "or one tensor was passed twice; below 1, data was read several times.",
     [](const RooflineRow& row) {
         return modelByMeasured(row) ? RooflineValue(*modelByMeasured(row)) : RooflineValue();
     },
     [](const RooflineRow& row) {
         return modelByMeasured(row) ? fmt::format("{:.2f}", *modelByMeasured(row)) : std::string();
     }},
    {"note", "Note", "", "", [](const RooflineRow& row) { return textOrNothing(row.note); },
     nullptr},
});

std::string listOf(const model::GpuRoof& roof) {
    std::string text;
    for (const auto& [type, peak] : roof.peaks) {
        text += fmt::format("{}{} {:.5g}", text.empty() ? "" : ", ", type, peak / 1e12);
    }
    return text;
}

}  // namespace

std::span<const RooflineColumn> rooflineColumns() {
    return kColumns;
}

bool isShown(const RooflineColumn& column) {
    return column.shown != nullptr || isTime(column);
}

std::string shownTitle(const RooflineColumn& column, text::TimeUnit unit) {
    return isTime(column) ? fmt::format("{} {}", column.title, unit.name)
                          : std::string(column.title);
}

std::string shownText(const RooflineColumn& column, const RooflineRow& row, text::TimeUnit unit) {
    if (!isTime(column)) {
        return column.shown(row);
    }
    const RooflineValue value = column.value(row);
    const auto* time = std::get_if<std::uint64_t>(&value);
    return time == nullptr ? std::string() : text::inUnit(static_cast<TimeNs>(*time), unit);
}

text::TimeUnit rooflineUnit(const model::Roofline& roofline) {
    TimeNs longest = 0;
    for (const RooflineRow& row : roofline.rows) {
        longest = std::max({longest, row.timeNs, row.recoverableNs.value_or(0)});
    }
    return text::unitFor(longest);
}

bool isMeasured(const RooflineColumn& column) {
    return column.key == "measured_gb_per_s" || column.key == "modelled_by_measured";
}

bool hasMeasured(const model::Roofline& roofline) {
    return std::ranges::any_of(roofline.rows,
                               [](const RooflineRow& row) { return row.measuredCount > 0; });
}

std::string_view rooflineByName(model::RooflineBy by) {
    static constexpr std::array<std::string_view, 4> kNames{"operator", "shape", "kernel",
                                                            "module"};
    return kNames[static_cast<std::size_t>(by)];
}

std::string roofLine(const model::DeviceRoof& roof) {
    const std::string device = roof.device.empty() ? "of unknown name" : roof.device;
    std::string text = fmt::format("{}, {}: ", trace::gpuName(roof.gpu), text::printable(device));
    if (roof.roof == nullptr) {
        return text + "its roof is unknown; only TFLOP/s and GB/s are shown";
    }
    const auto source = roof.roof->sources.empty() ? "" : roof.roof->sources.front().second;
    const std::string clock =
        roof.clockMhz > 0.0       ? fmt::format(" scaled to the trace's {:.0f} MHz", roof.clockMhz)
        : roof.roof->clockMhz > 0 ? fmt::format(" at {:g} MHz", roof.roof->clockMhz)
                                  : std::string();
    return text + fmt::format("{:.5g} GB/s; dense TFLOP/s {}{} ({})",
                              roof.roof->memoryBytesPerSecond / 1e9, listOf(*roof.roof), clock,
                              text::printable(source));
}

std::string coverageLine(TimeNs modelledNs, TimeNs bytesOnlyNs, TimeNs kernelNs) {
    const auto share = [kernelNs](TimeNs part) {
        return text::formatPercent(static_cast<double>(part), static_cast<double>(kernelNs));
    };
    const std::string line =
        fmt::format("{} of kernel time is modelled ({} of {})", share(modelledNs),
                    text::formatDuration(modelledNs), text::formatDuration(kernelNs));
    return bytesOnlyNs > 0 ? line + fmt::format(", {} by its bytes alone", share(bytesOnlyNs))
                           : line;
}

std::string coverageLine(const model::Roofline& roofline) {
    return coverageLine(roofline.modelledNs, roofline.bytesOnlyNs, roofline.kernelNs);
}

std::string uncoveredLine(const model::Roofline& roofline, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < roofline.uncovered.size() && i < most; ++i) {
        const model::UncoveredRow& row = roofline.uncovered[i];
        text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ",
                            text::printable(text::shortKernelName(row.name)),
                            text::formatPercent(static_cast<double>(row.kernelNs),
                                                static_cast<double>(roofline.kernelNs)),
                            model::missingText(row.missing));
    }
    if (roofline.uncovered.size() > most) {
        text += fmt::format(", and {} more", roofline.uncovered.size() - most);
    }
    return text;
}

}  // namespace kinetoscope::report
