// SPDX-License-Identifier: Apache-2.0
// Entry points of libkinetoscope-inject.so.
#include <atomic>

#include "core/capture/inject/Nvtx.h"
#include "core/capture/inject/Session.h"

#define KINETOSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

using kinetoscope::capture::inject::Session;

namespace {

template <class Use>
void call(Use&& use) noexcept {
    static_cast<void>(kinetoscope::capture::inject::withSession(0, [&](Session& session) {
        use(session);
        return 0;
    }));
}

}  // namespace

// Their callers have given these names.
// NOLINTBEGIN(readability-identifier-naming)

// The CUDA driver calls this from cuInit when CUDA_INJECTION64_PATH names this library.
KINETOSCOPE_EXPORT int InitializeInjection() {
    static std::atomic<bool> called{false};
    if (!called.exchange(true)) {
        // Without memory for a session the program runs on unrecorded.
        call([](Session& session) { session.start(); });
    }
    return 1;
}

// NVTX calls this before its first range when NVTX_INJECTION64_PATH names this library.
KINETOSCOPE_EXPORT int InitializeInjectionNvtx2(
    kinetoscope::capture::inject::nvtx::GetExportTable getExportTable) {
    return kinetoscope::capture::inject::nvtx::attach(getExportTable) ? 1 : 0;
}

// The functions behind kinetoscope.h.
KINETOSCOPE_EXPORT void kinetoscope_inject_start() {
    call([](Session& session) { session.resume(); });
}

KINETOSCOPE_EXPORT void kinetoscope_inject_stop() {
    call([](Session& session) { session.pause(); });
}

KINETOSCOPE_EXPORT void kinetoscope_inject_mark(const char* name) {
    call([=](Session& session) { session.mark(name == nullptr ? "" : name); });
}

KINETOSCOPE_EXPORT void kinetoscope_inject_range_push(const char* name) {
    call([=](Session& session) { session.pushRange(name == nullptr ? "" : name); });
}

KINETOSCOPE_EXPORT void kinetoscope_inject_range_pop() {
    call([](Session& session) { session.popRange(); });
}
// NOLINTEND(readability-identifier-naming)
