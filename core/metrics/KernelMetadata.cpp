// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/KernelMetadata.h"

#include <algorithm>
#include <charconv>

namespace kinetoscope::metrics {

namespace {

std::int64_t occurrences(std::string_view text, std::string_view word) {
    std::int64_t count = 0;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos;
         at += word.size()) {
        ++count;
    }
    return count;
}

std::int64_t lines(std::string_view text) {
    const auto breaks = std::count(text.begin(), text.end(), '\n');
    return breaks + (!text.empty() && text.back() != '\n' ? 1 : 0);
}

// The number in the first "NAME = 123".
std::optional<std::int64_t> assignedNumber(std::string_view text, std::string_view name) {
    const std::string wanted = std::string(name) + " = ";
    for (std::size_t at = 0; (at = text.find(wanted, at)) != std::string_view::npos; ++at) {
        const auto digits = text.substr(at + wanted.size());
        std::int64_t value = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error == std::errc() && end != digits.data() && digits.front() != '-') {
            return value;
        }
    }
    return std::nullopt;
}

MetricValue cell(std::optional<std::int64_t> value) {
    return value ? MetricValue(*value) : MetricValue();
}

// Reductions name their length rnumel, newer ones r0_numel and r1_numel.
MetricValue reductionLength(std::string_view body) {
    if (const auto plain = assignedNumber(body, "rnumel")) {
        return *plain;
    }
    const auto first = assignedNumber(body, "r0_numel");
    const auto second = assignedNumber(body, "r1_numel");
    if (first && second) {
        std::int64_t product = 0;
        return __builtin_mul_overflow(*first, *second, &product) ? MetricValue()
                                                                 : MetricValue(product);
    }
    return cell(first);
}

MetricValue sizeHints(const KernelSource& source) {
    const PyValue* hints = source.decorator.find("size_hints");
    return hints != nullptr ? MetricValue(std::string(hints->source)) : MetricValue();
}

MetricValue reductionHint(const KernelSource& source) {
    constexpr std::string_view kPrefix = "ReductionHint.";
    const PyValue* hint = source.decorator.find("reduction_hint");
    const bool reduces =
        source.category == "reduction" || source.category == "persistent_reduction";
    if (!reduces || hint == nullptr || !hint->text.starts_with(kPrefix)) {
        return {};
    }
    return hint->text.substr(kPrefix.size());
}

MetricValue gigabytes(const KernelSource& source, MetricFormat format) {
    const PyValue* value = source.inductorMeta("kernel_num_gb");
    const auto number = value != nullptr ? value->asNumber() : std::nullopt;
    if (!number || format == MetricFormat::Current) {
        return number ? MetricValue(*number) : MetricValue();
    }
    double mantissa = 0.0;
    const std::string_view text = value->source;
    std::from_chars(text.data(), text.data() + text.size(), mantissa, std::chars_format::fixed);
    return mantissa;
}

}  // namespace

MetricRow kernelMetadataRow(const KernelSource& source, const std::string& kernelPath,
                            MetricFormat format) {
    const std::string_view body = source.body();
    const bool original = format == MetricFormat::Original;
    return {
        {"kernel_name", source.name},
        {"kernel_path", kernelPath},
        {"kernel_category", source.category},
        {"size_hints", sizeHints(source)},
        {"reduction_hint", reductionHint(source)},
        {"line_of_code", lines(body)},
        {"num_load", occurrences(body, "tl.load")},
        {"num_store", occurrences(body, "tl.store")},
        {"num_for_loop", occurrences(body, "for ")},
        {"num_atomic_add", occurrences(body, "tl.atomic_add")},
        {"num_args", static_cast<std::int64_t>(source.parameters.size())},
        {"xnumel", cell(assignedNumber(body, "xnumel"))},
        {"ynumel", cell(assignedNumber(body, "ynumel"))},
        {"rnumel", original ? cell(assignedNumber(body, "rnumel")) : reductionLength(body)},
        {"kernel_args_num_gb", gigabytes(source, format)},
    };
}

Result<SourceFolder> addKernels(MetricTables& tables, const std::string& folder) {
    auto sources = readSources(folder);
    if (!sources) {
        return sources;
    }
    for (const KernelSource& source : sources->kernels) {
        const auto added = tables.addRow(
            kKernelTable, [&] { return kernelMetadataRow(source, source.path, tables.format()); });
        if (!added) {
            return tl::unexpected(added.error());
        }
    }
    return sources;
}

}  // namespace kinetoscope::metrics
