#include "views/selection.h"

#include <algorithm>

namespace views {

namespace {
constexpr size_t longestHistory = 200;
}

bool Selection::contains(engine::OriginId node) const {
    return std::find(now_.nodes.begin(), now_.nodes.end(), node) != now_.nodes.end();
}

void Selection::toggle(engine::OriginId node) {
    Place place = now_;
    place.value.reset();
    const auto found = std::find(place.nodes.begin(), place.nodes.end(), node);
    if (found == place.nodes.end()) {
        place.nodes.insert(place.nodes.begin(), node);
    } else {
        place.nodes.erase(found);
    }
    set(std::move(place));
}

void Selection::goBack() {
    if (!canGoBack()) return;
    now_ = history_[--position_];
    announce();
}

void Selection::goForward() {
    if (!canGoForward()) return;
    now_ = history_[++position_];
    announce();
}

void Selection::set(Place place) {
    if (place == now_) return;
    now_ = std::move(place);
    if (!isEmpty()) remember();
    announce();
}

void Selection::remember() {
    if (!history_.empty()) history_.resize(position_ + 1);
    if (history_.size() == longestHistory) history_.erase(history_.begin());
    history_.push_back(now_);
    position_ = history_.size() - 1;
}

void Selection::announce() {
    if (isAnnounced_) return;
    isAnnounced_ = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            isAnnounced_ = false;
            Q_EMIT changed();
        },
        Qt::QueuedConnection);
}

}  // namespace views
