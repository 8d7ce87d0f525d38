// SPDX-License-Identifier: Apache-2.0
#include "core/bench/torch/OperatorTrace.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <mutex>

#include "core/bench/torch/TorchCompat.h"
#include "core/json/Json.h"

namespace kinetoscope::bench::libtorch {

namespace {

std::int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

struct Span {
    std::string name;
    std::int64_t startNs;
    std::int64_t endNs;
    long thread;
    bool isRange;  // the program's own, and no operator
};

// Callbacks are functions without data, and run on PyTorch's own threads.
std::mutex spansMutex;
std::vector<Span> spans;

struct Begin final : at::ObserverContext {
    std::int64_t startNs = nowNs();
};

std::unique_ptr<at::ObserverContext> onBegin(const at::RecordFunction&) {
    return std::make_unique<Begin>();
}

void onEnd(const at::RecordFunction& function, at::ObserverContext* context) {
    const std::int64_t end = nowNs();
    const std::scoped_lock lock(spansMutex);
    spans.push_back({function.name(), static_cast<const Begin*>(context)->startNs, end,
                     ::syscall(SYS_gettid), function.scope() == at::RecordScope::USER_SCOPE});
}

std::string micros(std::int64_t ns) {
    return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

}  // namespace

Result<void> traceOperators(const std::function<void()>& work, const std::string& path) {
    spans.clear();
    const auto handle = at::addGlobalCallback(
        at::RecordFunctionCallback(onBegin, onEnd)
            .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION,
                     at::RecordScope::TORCHSCRIPT_FUNCTION, at::RecordScope::USER_SCOPE}));
    work();
    at::removeCallback(handle);
    std::ofstream file(path + ".part", std::ios::binary);
    file << "{\n  \"schemaVersion\": 1,\n  \"traceEvents\": [\n";
    const long process = ::getpid();
    file << fmt::format(
        "  {{\"name\": \"process_name\", \"ph\": \"M\", \"ts\": 0, \"pid\": {}, "
        "\"tid\": 0, \"args\": {{\"name\": \"kscope-torch\"}}}}",
        process);
    const std::scoped_lock lock(spansMutex);
    for (const Span& span : spans) {
        file << fmt::format(
            ",\n  {{\"ph\": \"X\", \"cat\": \"{}\", \"name\": {}, \"pid\": {}, "
            "\"tid\": {}, \"ts\": {}, \"dur\": {}}}",
            span.isRange ? "user_annotation" : "cpu_op", json::quotedJson(span.name), process,
            span.thread, micros(span.startNs), micros(span.endNs - span.startNs));
    }
    file << "\n  ]\n}\n";
    file.close();
    if (!file || std::rename((path + ".part").c_str(), path.c_str()) != 0) {
        return fail(fmt::format("'{}': the trace cannot be written", path), ErrorKind::Output);
    }
    return {};
}

}  // namespace kinetoscope::bench::libtorch
