#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QString>

namespace views {

/// "1, 2, 4" or "1 2 4" as numbers; "1-4" is 1, 2, 3, 4. Nothing if a part is no number from 1 on, or there
/// are more than 64.
std::optional<std::vector<int64_t>> parseNumberList(const QString& text);

QString numberListText(const std::vector<int64_t>& numbers);

}  // namespace views
