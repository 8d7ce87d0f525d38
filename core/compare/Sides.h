// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace kinetoscope::compare {

/// What others are measured against. Baseline and Candidate are types of their own, so that the
/// two sides of a comparison cannot be swapped unnoticed.
template <class T>
class Baseline {
public:
    explicit Baseline(T value) : m_value(std::move(value)) {}
    [[nodiscard]] const T& operator*() const { return m_value; }
    [[nodiscard]] const T* operator->() const { return &m_value; }

private:
    T m_value;
};

template <class T>
class Candidate {
public:
    explicit Candidate(T value) : m_value(std::move(value)) {}
    [[nodiscard]] const T& operator*() const { return m_value; }
    [[nodiscard]] const T* operator->() const { return &m_value; }

private:
    T m_value;
};

/// One figure of both sides.
template <class T>
struct Both {
    T base{};
    T candidate{};

    friend bool operator==(const Both&, const Both&) = default;
};

}  // namespace kinetoscope::compare
