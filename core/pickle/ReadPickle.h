// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string_view>

#include "core/base/Result.h"
#include "core/pickle/ByteWindow.h"
#include "core/pickle/Document.h"

namespace kinetoscope::pickle {

/// Whether a file that begins like this may be a pickle of any protocol.
[[nodiscard]] bool looksLikePickle(std::string_view head);

/// The plain data of a pickle of protocol 0 to 5: None, bools, numbers, texts, bytes, lists,
/// tuples, sets and dicts. Nothing is imported, called or built: a pickle that asks for it is
/// refused, but for classes that are plain data themselves (an OrderedDict is read as a dict, a
/// torch.Size as a tuple, a torch.dtype as its name). Errors are words that follow a name, with the
/// offset: "is not a pickle that can be read: byte 12: …".
[[nodiscard]] Result<Document> readPickle(const ReadBytes& read, const std::stop_token& stop);
/// The same of a text in memory.
[[nodiscard]] Result<Document> readPickle(std::string_view text);

}  // namespace kinetoscope::pickle
