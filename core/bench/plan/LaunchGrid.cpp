// SPDX-License-Identifier: Apache-2.0
#include "core/bench/plan/LaunchGrid.h"

#include <fmt/format.h>

#include <algorithm>

namespace kinetoscope::bench::plan {

namespace {

// Limits of every GPU since compute capability 3.0.
constexpr Grid kMaxBlocks{2147483647, 65535, 65535};
constexpr std::int64_t kMaxYBlocks = 65535;

std::int64_t ceilDiv(std::int64_t whole, std::int64_t part) {
    return part <= 1 ? whole : whole / part + (whole % part != 0 ? 1 : 0);
}

// Sizes and block sizes under the names that the grid types use.
class Sizes {
public:
    Sizes(const IntegerArguments& integers, const BlockSizes& blocks)
        : m_integers(integers), m_blocks(blocks) {}

    [[nodiscard]] Result<std::int64_t> blocksFor(const std::string& size,
                                                 const std::string& block) const {
        const auto length = m_integers.find(size);
        if (length == m_integers.end()) {
            return fail(fmt::format("{} is not known", size));
        }
        const auto perBlock = m_blocks.find(block);
        if (perBlock == m_blocks.end() || perBlock->second < 1) {
            return fail(fmt::format("{} of this configuration is not known", block));
        }
        return ceilDiv(length->second, perBlock->second);
    }

    [[nodiscard]] Result<std::int64_t> value(const std::string& name) const {
        const auto block = m_blocks.find(name);
        if (block != m_blocks.end()) {
            return block->second;
        }
        const auto number = m_integers.find(name);
        if (number != m_integers.end()) {
            return number->second;
        }
        return fail(fmt::format("{} is not known", name));
    }

private:
    const IntegerArguments& m_integers;
    const BlockSizes& m_blocks;
};

Result<Grid> along(std::initializer_list<Result<std::int64_t>> axes) {
    Grid grid{1, 1, 1};
    std::size_t axis = 0;
    for (const auto& blocks : axes) {
        if (!blocks) {
            return tl::unexpected(blocks.error());
        }
        grid[axis++] = *blocks;
    }
    return grid;
}

Result<Grid> overflowingGrid(const Sizes& sizes) {
    const auto x = sizes.blocksFor("xnumel", "XBLOCK");
    const auto y = sizes.blocksFor("ynumel", "YBLOCK");
    if (!x || !y) {
        return tl::unexpected((x ? y : x).error());
    }
    const std::int64_t z = std::max<std::int64_t>(1, ceilDiv(*y, kMaxYBlocks));
    return Grid{*x, ceilDiv(*y, z), z};
}

Result<Grid> fixedGrid(const std::vector<std::int64_t>& launcherArguments) {
    if (launcherArguments.size() != 3) {
        return fail("get_args does not give the three numbers of the grid");
    }
    return Grid{launcherArguments[0], launcherArguments[1], launcherArguments[2]};
}

// "a, b" of a dict entry, or a number; sizes may be names of arguments.
Result<std::int64_t> comboSize(const metrics::PyValue& meta, const std::string& key,
                               const Sizes& sizes) {
    const metrics::PyValue* value = meta.find(key);
    if (value == nullptr) {
        return fail(fmt::format("combo_grid_meta has no {}", key));
    }
    if (const auto number = value->asInt()) {
        return *number;
    }
    return sizes.value(value->text.empty() ? key : value->text);
}

Result<Grid> comboGrid(const metrics::KernelSource& source, const Sizes& sizes, bool sequential) {
    const metrics::PyValue* meta = source.inductorMeta("combo_grid_meta");
    const auto count = meta != nullptr && meta->find("num_kernels") != nullptr
                           ? meta->find("num_kernels")->asInt()
                           : std::nullopt;
    if (!count || *count < 1 || *count > 4096) {
        return fail("combo_grid_meta does not say how many kernels there are");
    }
    const auto block = sizes.value("XBLOCK");
    if (!block) {
        return tl::unexpected(block.error());
    }
    std::int64_t blocks = 0;
    for (std::int64_t i = 0; i < *count; ++i) {
        const auto size = comboSize(*meta, fmt::format("xnumel_{}", i), sizes);
        if (!size) {
            return tl::unexpected(size.error());
        }
        const metrics::PyValue* whole = meta->find(fmt::format("no_x_dim_{}", i));
        const bool noBlocks = whole != nullptr && whole->asInt().value_or(0) != 0;
        const std::int64_t needed = ceilDiv(*size, noBlocks ? 1 : *block);
        blocks = sequential ? blocks + needed : std::max(blocks, needed);
    }
    if (meta->find("ynumel_0") != nullptr) {
        return fail("combined kernels with a second axis are not understood");
    }
    const metrics::PyValue* least = meta->find("min_blocks");
    const std::int64_t floor = least != nullptr ? least->asInt().value_or(0) : 0;
    return Grid{std::max(sequential ? blocks : blocks * *count, floor), 1, 1};
}

bool hasParameter(const metrics::KernelSource& source, std::string_view name) {
    return std::any_of(source.parameters.begin(), source.parameters.end(),
                       [&](const metrics::KernelParameter& p) { return p.name == name; });
}

std::string reductionPrefix(const metrics::KernelSource& source) {
    return hasParameter(source, "r0_numel") ? "r0_" : "r";
}

std::string reductionBlock(const metrics::KernelSource& source) {
    return hasParameter(source, "r0_numel") ? "R0_BLOCK" : "RBLOCK";
}

// Before grid_type there was a call of grid(...) or split_scan_grid(...) in run().
std::string gridTypeOfRun(const metrics::PyValue& run) {
    const metrics::PyValue* grid = run.find("grid");
    if (grid == nullptr || grid->kind != metrics::PyValue::Kind::Call) {
        return {};
    }
    if (grid->text == "split_scan_grid") {
        return "SplitScanGrid";
    }
    if (grid->text != "grid") {
        return grid->text;
    }
    return grid->items.size() == 1 ? "Grid1D" : grid->items.size() == 2 ? "Grid2D" : "Grid3D";
}

Result<Grid> gridOfType(const std::string& type, const metrics::KernelSource& source,
                        const Sizes& sizes, const std::vector<std::int64_t>& launcherArguments) {
    const auto x = [&] { return sizes.blocksFor("xnumel", "XBLOCK"); };
    const auto y = [&] { return sizes.blocksFor("ynumel", "YBLOCK"); };
    if (type == "Grid1D") {
        return along({x()});
    }
    if (type == "Grid2D") {
        return along({x(), y()});
    }
    if (type == "Grid3D") {
        return along({x(), y(), sizes.blocksFor("znumel", "ZBLOCK")});
    }
    if (type == "Grid2DWithYZOverflow") {
        return overflowingGrid(sizes);
    }
    if (type == "CooperativeReductionGrid") {
        return along({sizes.value("RSPLIT"), x()});
    }
    if (type == "SplitScanGrid") {
        return along({sizes.blocksFor(reductionPrefix(source) + "numel", reductionBlock(source)),
                      sizes.value("xnumel")});
    }
    if (type == "MixOrderReductionGrid") {
        return along({sizes.blocksFor("xnumel", "RSPLIT_SIZE")});
    }
    if (type == "FixedGrid") {
        return fixedGrid(launcherArguments);
    }
    if (type == "SequentialComboKernelGrid" || type == "RoundRobinComboKernelGrid") {
        return comboGrid(source, sizes, type.starts_with("Sequential"));
    }
    return fail(type.empty() ? std::string("the source does not say how its grid is made")
                             : fmt::format("grid type {} is not understood", type));
}

}  // namespace

std::string gridType(const metrics::KernelSource& source) {
    if (const metrics::PyValue* type = source.inductorMeta("grid_type"); type != nullptr) {
        return type->text;
    }
    return source.runCall ? gridTypeOfRun(*source.runCall) : std::string();
}

std::array<std::string, 3> axisBlockNames(const std::string& type,
                                          const metrics::KernelSource& source) {
    if (type == "Grid1D" || type.ends_with("ComboKernelGrid")) {
        return {"XBLOCK", "", ""};
    }
    if (type == "Grid2D" || type == "Grid2DWithYZOverflow") {
        return {"XBLOCK", "YBLOCK", ""};
    }
    if (type == "Grid3D") {
        return {"XBLOCK", "YBLOCK", "ZBLOCK"};
    }
    if (type == "CooperativeReductionGrid") {
        return {"", "XBLOCK", ""};
    }
    if (type == "SplitScanGrid") {
        return {reductionBlock(source), "XBLOCK", ""};
    }
    if (type == "MixOrderReductionGrid") {
        return {"RSPLIT_SIZE", "", ""};
    }
    return {};
}

Result<Grid> launchGrid(const metrics::KernelSource& source, const IntegerArguments& integers,
                        const BlockSizes& blocks,
                        const std::vector<std::int64_t>& launcherArguments) {
    auto grid = gridOfType(gridType(source), source, Sizes(integers, blocks), launcherArguments);
    if (!grid) {
        return grid;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if ((*grid)[axis] < 0 || (*grid)[axis] > kMaxBlocks[axis]) {
            return fail(fmt::format("a grid of {} x {} x {} blocks is larger than a GPU can launch",
                                    (*grid)[0], (*grid)[1], (*grid)[2]));
        }
    }
    return grid;
}

}  // namespace kinetoscope::bench::plan
