// SPDX-License-Identifier: Apache-2.0
#include "core/model/LaunchedCalls.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <tuple>
#include <unordered_map>

#include "core/analysis/OperatorShapes.h"
#include "core/analysis/WindowScope.h"
#include "core/base/SortRuns.h"
#include "core/base/Threads.h"
#include "core/query/Intervals.h"

namespace kinetoscope::model {

namespace {

constexpr std::size_t kPiece = 16384;  // calls whose arguments are read at a time
constexpr char kSeparator = '\x1f';    // no argument has it unescaped

struct Launch {
    trace::SliceId slice;
    trace::GpuOpId operation;
    TimeNs start;
    Missing missing;
};

bool isKernel(const trace::Trace& trace, trace::GpuOpId operation) {
    return trace.category(trace.gpuOperations()[operation].slice) == trace::Category::Kernel;
}

/// Properties that follow from the name of a kernel or copy, computed once for each name.
struct NameFacts {
    bool known = false;
    bool tensorCores = false;
    bool overLink = false;
    bool product = false;
    DataType element = DataType::Unknown;
};

class KernelFacts {
public:
    explicit KernelFacts(const trace::Trace& trace)
        : m_trace(trace), m_facts(trace.names().size()) {}

    const NameFacts& of(trace::SliceId slice) {
        NameFacts& facts = m_facts[m_trace.nameId(slice)];
        if (!facts.known) {
            facts = read(m_trace.name(slice));
        }
        return facts;
    }

private:
    static NameFacts read(std::string_view name) {
        const auto has = [&](std::string_view part) {
            return name.find(part) != std::string_view::npos;
        };
        // Kernels that multiply Float by tensor cores do so as TensorFloat-32.
        const bool tensorCores = has("tf32") || has("nvjet") || has("s1688") || has("tensorop");
        const bool overLink = has("HtoD") || has("DtoH") || has("PtoP") || has("HostToDevice") ||
                              has("DeviceToHost") || has("cross_device_reduce") ||
                              name.starts_with("nccl") || name.starts_with("rccl");
        const bool product = has("gemm") || has("nvjet") || has("Cijk_") || has("cutlass");
        return {true, tensorCores, overLink, product, elementTypeOfKernel(name)};
    }

    const trace::Trace& m_trace;
    std::vector<NameFacts> m_facts;
};

std::vector<Launch> launchesOf(const trace::Trace& trace, const query::LaunchLinks& links,
                               const analysis::WindowScope& scope) {
    std::vector<Launch> launches;
    launches.reserve(trace.gpuOperations().size());
    for (trace::GpuOpId id = 0; id < trace.gpuOperations().size(); ++id) {
        const TimeNs start = trace.start(trace.gpuOperations()[id].slice);
        if (!scope.takes(start)) {
            continue;
        }
        const bool graph = links.isGraphLaunch(id);
        const trace::SliceId slice = links.launchingOperator(id);
        const Missing missing = graph                      ? Missing::Graph
                                : slice == trace::kNoSlice ? Missing::Operator
                                                           : Missing::Nothing;
        launches.push_back(
            {missing == Missing::Nothing ? slice : trace::kNoSlice, id, start, missing});
    }
    // Operators launch in the order of the file, mostly.
    sortRuns(std::span(launches), [](const Launch& a, const Launch& b) {
        return std::tie(a.slice, a.start, a.operation) < std::tie(b.slice, b.start, b.operation);
    });
    return launches;
}

/// Which type the elements of a call's lists have, beside what the call itself becomes.
struct Grouped {
    LaunchedCalls all;
    std::vector<DataType> listTypes;  ///< by call
};

void measure(const trace::Trace& trace, KernelFacts& facts, Grouped& grouped, LaunchedCall& call) {
    query::UnionLength busy;
    DataType element = DataType::Unknown;
    TimeNs longest = -1;
    for (std::uint32_t i = call.begin; i < call.end; ++i) {
        const trace::GpuOpId operation = grouped.all.operations[i];
        const trace::SliceId slice = trace.gpuOperations()[operation].slice;
        const NameFacts& name = facts.of(slice);
        busy.add(trace.span(slice));
        call.tensorCores |= name.tensorCores;
        call.overLink |= name.overLink;
        if (isKernel(trace, operation)) {
            call.kernelNs = addTime(call.kernelNs, trace.duration(slice));
            if (name.product && call.products < 0xff) {
                ++call.products;
            }
            if (trace.duration(slice) > longest) {
                longest = trace.duration(slice);
                element = name.element;
            }
        }
    }
    call.timeNs = busy.total();
    grouped.listTypes.push_back(element);
}

// Operations without an operator are calls of their own, named after the kernel.
Grouped group(const trace::Trace& trace, const std::vector<Launch>& launches) {
    Grouped grouped;
    KernelFacts facts(trace);
    for (std::size_t i = 0; i < launches.size();) {
        std::size_t end = i + 1;
        while (launches[i].slice != trace::kNoSlice && end < launches.size() &&
               launches[end].slice == launches[i].slice) {
            ++end;
        }
        const trace::GpuOperation& first = trace.gpuOperations()[launches[i].operation];
        LaunchedCall call;
        call.slice = launches[i].slice;
        call.missing = launches[i].missing;
        call.name = trace.nameId(call.slice == trace::kNoSlice ? first.slice : call.slice);
        call.gpu = first.gpu;
        call.begin = static_cast<std::uint32_t>(grouped.all.operations.size());
        for (; i < end; ++i) {
            grouped.all.operations.push_back(launches[i].operation);
        }
        call.end = static_cast<std::uint32_t>(grouped.all.operations.size());
        measure(trace, facts, grouped, call);
        grouped.all.calls.push_back(call);
    }
    return grouped;
}

std::string typesOf(const OperatorCall& call) {
    std::string text;
    for (const Argument& argument : call.arguments) {
        const bool list = argument.kind == Argument::Kind::TensorList;
        if (list || argument.kind == Argument::Kind::Tensor) {
            text += text.empty() ? "" : ", ";
            text += dataTypeName(list ? call.listType : argument.tensors.front().type);
        }
    }
    return text;
}

// NVTX ranges of PyTorch have sizes without types.
void takeType(OperatorCall& call, DataType type) {
    for (Argument& argument : call.arguments) {
        if (argument.kind == Argument::Kind::Tensor) {
            argument.tensors.front().type = type;
        }
    }
}

bool isUntoldList(const Argument& argument) {
    return argument.kind == Argument::Kind::TensorList && argument.tensors.empty();
}

/// Makes each shape once, whichever thread meets it first.
class ShapeMaker {
public:
    ShapeMaker(const trace::Trace& trace, std::vector<CallShape>& shapes)
        : m_trace(trace), m_shapes(shapes) {}

    std::uint32_t shapeOf(const LaunchedCall& of, DataType listType, const std::string& key,
                          std::span<const std::string_view> texts) {
        const std::scoped_lock lock(m_mutex);
        const auto [known, isNew] =
            m_ids.try_emplace(key, static_cast<std::uint32_t>(m_shapes.size()));
        if (isNew) {
            m_shapes.push_back(make(of, listType, texts));
        }
        return known->second;
    }

private:
    CallShape make(const LaunchedCall& of, DataType listType,
                   std::span<const std::string_view> texts) const {
        CallTexts copies;
        std::ranges::copy(texts, copies.begin());
        OperatorCall call = makeOperatorCall(m_trace.text(of.name), copies);
        call.listType = listType;
        call.products = of.products;
        CallShape shape;
        shape.name = of.name;
        shape.row = OperatorTable::builtin().find(m_trace.text(of.name), call.inPlace);
        if (copies[1].empty() && shape.row != nullptr && shape.row->oneType) {
            takeType(call, listType);
        }
        shape.work = model::workOf(call, shape.row);
        shape.shapes = analysis::inputShapes(copies[0].empty() ? copies[9] : copies[0]);
        shape.types = typesOf(call);
        if (!shape.work && std::ranges::any_of(call.arguments, isUntoldList)) {
            shape.untold = std::make_shared<const OperatorCall>(std::move(call));
        }
        return shape;
    }

    const trace::Trace& m_trace;
    std::vector<CallShape>& m_shapes;
    std::mutex m_mutex;
    std::unordered_map<std::string, std::uint32_t> m_ids;
};

/// Reads the arguments of all calls that have a row, piece by piece, by any number of threads.
class ShapeReader {
public:
    ShapeReader(const trace::Trace& trace, Grouped& grouped, const std::stop_token& stop)
        : m_trace(trace), m_grouped(grouped), m_stop(stop), m_maker(trace, grouped.all.shapes) {
        std::vector<std::uint8_t> hasRow(trace.names().size(), Unseen);
        std::vector<std::uint32_t> byForward;
        for (std::uint32_t i = 0; i < grouped.all.calls.size(); ++i) {
            LaunchedCall& call = grouped.all.calls[i];
            if (call.missing != Missing::Nothing) {
                continue;
            }
            std::uint8_t& known = hasRow[call.name];
            if (known == Unseen) {
                known = kindOf(trace.text(call.name));
            }
            if (known != ByForward) {
                call.products = 0;  // calls of the same arguments have one shape
            }
            if (known == NoRow) {
                call.missing = Missing::Row;
            } else if (known == ByForward) {
                byForward.push_back(i);
            } else {
                m_wanted.push_back({trace.offset(call.slice), i});
            }
        }
        addByForward(byForward);
        std::ranges::sort(m_wanted);
    }

    [[nodiscard]] Result<void> read(unsigned threads) {
        const trace::EventText* text = m_trace.eventText();
        if (text == nullptr || m_wanted.empty()) {
            return {};
        }
        m_piece = text->startsAnywhere() ? kPiece : m_wanted.size();
        const std::size_t pieces = (m_wanted.size() + m_piece - 1) / m_piece;
        runOnThreads(static_cast<unsigned>(std::min<std::size_t>(threads, pieces)),
                     [&] { work(*text); });
        return m_result;
    }

private:
    enum : std::uint8_t { NoRow, ByItself, ByForward, Unseen };
    /// A call, and where its arguments stand in the file.
    struct Wanted {
        std::uint64_t offset = 0;
        std::uint32_t call = 0;
        friend auto operator<=>(const Wanted&, const Wanted&) = default;
    };
    struct Known {
        std::string key;
        std::uint32_t shape = kNoShape;
    };

    static std::uint8_t kindOf(std::string_view name) {
        bool inPlace = false;
        const OperatorModel* row = OperatorTable::builtin().find(name, inPlace);
        return row == nullptr ? NoRow : row->byForward ? ByForward : ByItself;
    }

    void addByForward(const std::vector<std::uint32_t>& places) {
        std::vector<trace::SliceId> slices;
        slices.reserve(places.size());
        for (const std::uint32_t i : places) {
            slices.push_back(m_grouped.all.calls[i].slice);
        }
        if (!slices.empty()) {
            slices = forwardOperators(m_trace, slices);
        }
        for (std::size_t at = 0; at < slices.size(); ++at) {
            if (slices[at] != trace::kNoSlice) {
                m_wanted.push_back({m_trace.offset(slices[at]), places[at]});
            }
        }
    }

    void work(const trace::EventText& text) {
        std::vector<Known> known(4096);  // recent ones, so that few calls need the common table
        for (;;) {
            const std::size_t begin = m_next.fetch_add(m_piece);
            if (begin >= m_wanted.size()) {
                return;
            }
            const std::size_t end = std::min(begin + m_piece, m_wanted.size());
            if (const auto done = readPiece(text, begin, end, known); !done) {
                m_next = m_wanted.size();
                const std::scoped_lock lock(m_mutex);
                m_result = done;
            }
        }
    }

    Result<void> readPiece(const trace::EventText& text, std::size_t begin, std::size_t end,
                           std::vector<Known>& known) {
        std::vector<std::uint64_t> offsets;
        offsets.reserve(end - begin);
        for (std::size_t i = begin; i < end; ++i) {
            offsets.push_back(m_wanted[i].offset);
        }
        std::string key;
        return text.arguments(offsets, kCallKeys, [&](std::size_t i, auto values) {
            throwIfStopped(m_stop);
            const std::uint32_t place = m_wanted[begin + i].call;
            LaunchedCall& call = m_grouped.all.calls[place];
            const DataType listType = m_grouped.listTypes[place];
            key.assign(reinterpret_cast<const char*>(&call.name), sizeof call.name);
            key += static_cast<char>(listType);
            key += static_cast<char>(call.products);
            for (const std::string_view value : values) {
                key += kSeparator;
                key += value;
            }
            Known& entry = known[std::hash<std::string_view>()(key) % known.size()];
            if (entry.key != key) {
                entry.shape = m_maker.shapeOf(call, listType, key, values);
                entry.key = key;
            }
            call.shape = entry.shape;
        });
    }

    const trace::Trace& m_trace;
    Grouped& m_grouped;
    std::stop_token m_stop;
    ShapeMaker m_maker;
    std::vector<Wanted> m_wanted;
    std::size_t m_piece = kPiece;
    std::atomic<std::size_t> m_next = 0;
    std::mutex m_mutex;  ///< of the result
    Result<void> m_result;
};

void sumUp(LaunchedCalls& all) {
    for (const LaunchedCall& call : all.calls) {
        all.kernelNs = addTime(all.kernelNs, call.kernelNs);
        const Work* work = all.workOf(call);
        if (call.missing == Missing::Nothing) {
            all.modelledNs = addTime(all.modelledNs, call.kernelNs);
        }
        if (work != nullptr && work->bytesOnly) {
            all.bytesOnlyNs = addTime(all.bytesOnlyNs, call.kernelNs);
        }
    }
}

void finish(LaunchedCalls& all) {
    for (LaunchedCall& call : all.calls) {
        const bool told = call.shape != kNoShape && all.shapes[call.shape].work.has_value();
        if (call.missing == Missing::Nothing && !told) {
            call.missing = Missing::Shapes;
        }
    }
}

LaunchedCalls inside(const trace::Trace& trace, const LaunchedCalls& all,
                     const analysis::WindowScope& scope) {
    LaunchedCalls result;
    result.shapes = all.shapes;
    for (LaunchedCall call : all.calls) {
        query::UnionLength busy;
        const auto begin = static_cast<std::uint32_t>(result.operations.size());
        call.kernelNs = 0;
        for (std::uint32_t i = call.begin; i < call.end; ++i) {
            const trace::GpuOpId operation = all.operations[i];
            const TimeSpan span = trace.span(trace.gpuOperations()[operation].slice);
            if (scope.takes(span.start)) {
                result.operations.push_back(operation);
                busy.add(span);
                call.kernelNs =
                    addTime(call.kernelNs, isKernel(trace, operation) ? span.duration() : 0);
            }
        }
        call.timeNs = busy.total();
        call.begin = begin;
        call.end = static_cast<std::uint32_t>(result.operations.size());
        if (call.end > call.begin) {
            result.calls.push_back(call);
        }
    }
    sumUp(result);
    return result;
}

Result<LaunchedCalls> find(const trace::Trace& trace, const CallOptions& options) {
    const auto scope = analysis::resolveWindow(trace, options.window);
    if (!scope) {
        return tl::unexpected(scope.error());
    }
    std::optional<query::LaunchLinks> own;
    const query::LaunchLinks& links =
        options.links != nullptr ? *options.links : own.emplace(trace);
    throwIfStopped(options.stop);
    Grouped grouped = group(trace, launchesOf(trace, links, *scope));
    own.reset();
    throwIfStopped(options.stop);
    const unsigned threads =
        options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
    ShapeReader reader(trace, grouped, options.stop);
    if (const auto read = reader.read(threads); !read) {
        return tl::unexpected(read.error());
    }
    finish(grouped.all);
    if (const auto told = tellByGradients(trace, grouped.all, options.stop); !told) {
        return tl::unexpected(told.error());
    }
    sumUp(grouped.all);
    return std::move(grouped.all);
}

}  // namespace

std::string_view missingText(Missing missing) {
    static constexpr std::array<std::string_view, 5> kTexts{
        "", "no operator is known", "part of a CUDA graph", "no row in the model",
        "shapes are not recorded"};
    return kTexts[static_cast<std::size_t>(missing)];
}

const Work* LaunchedCalls::workOf(const LaunchedCall& call) const {
    return call.missing == Missing::Nothing ? &*shapes[call.shape].work : nullptr;
}

Result<LaunchedCalls> callsInWindow(const trace::Trace& trace, const LaunchedCalls& all,
                                    const analysis::WindowChoice& window) {
    return guarded([&]() -> Result<LaunchedCalls> {
        const auto scope = analysis::resolveWindow(trace, window);
        return scope ? Result<LaunchedCalls>(inside(trace, all, *scope))
                     : tl::unexpected(scope.error());
    });
}

Result<LaunchedCalls> findLaunchedCalls(const trace::Trace& trace, const CallOptions& options) {
    return guarded([&] { return find(trace, options); });
}

}  // namespace kinetoscope::model
