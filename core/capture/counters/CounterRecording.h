// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/capture/RecordRun.h"
#include "core/capture/counters/CounterRequest.h"

namespace kinetoscope::capture::counters {

/// What to record beside the processes of a program.
struct CounterPlan {
    CounterRequest request;            ///< may be empty: sensors only
    std::vector<std::string> command;  ///< the program's
    std::string folder;                ///< of the recording
    std::string control;               ///< its socket, which takes our notes; may be empty
};

/// Samples the GPUs' clocks, power, temperature and used memory ten times a second, and the
/// requested hardware counters, into a capture of its own ("counters.…kscope"), on threads of its
/// own: nothing of it runs in the recorded program.
class CounterRecording final : public RecordCompanion {
public:
    explicit CounterRecording(CounterPlan plan);
    ~CounterRecording() override;

    void started() override;
    /// Starting with the first one, samples are recorded.
    void captureBegan(const std::string& capture) override;
    /// Takes what was sampled last and ends the file.
    void ended() override;

private:
    class Work;
    CounterPlan m_plan;
    std::unique_ptr<Work> m_work;
};

}  // namespace kinetoscope::capture::counters
