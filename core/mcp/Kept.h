// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "core/base/Result.h"

namespace kinetoscope::mcp {

/// Results that took long, by what was asked; the last few of them.
class Kept {
public:
    /// What `make`, a function without arguments, gives; made once while it is kept. The same
    /// question always asks for the same T.
    template <class T, class Make>
    [[nodiscard]] Result<const T*> of(const std::string& question, Make make) {
        const auto known = std::ranges::find(m_results, question, &One::question);
        if (known != m_results.end()) {
            m_results.splice(m_results.begin(), m_results, known);
        } else {
            Result<T> made = make();
            if (!made) {
                return tl::unexpected(made.error());
            }
            m_results.push_front({question, std::make_shared<const T>(*std::move(made))});
            if (m_results.size() > kMax) {
                m_results.pop_back();
            }
        }
        return static_cast<const T*>(m_results.front().result.get());
    }

private:
    static constexpr std::size_t kMax = 24;

    struct One {
        std::string question;
        std::shared_ptr<const void> result;
    };
    std::list<One> m_results;  ///< the most recently used one in front
};

}  // namespace kinetoscope::mcp
