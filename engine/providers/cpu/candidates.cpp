#include "engine/providers/cpu/candidates.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <mutex>
#include <sstream>

#include <omp.h>

#include "engine/core/tensor.h"
#include "engine/core/text.h"
#include "engine/providers/cpu/switches.h"

namespace engine::cpu {
namespace {

std::string noteOn(const std::vector<Candidate>& candidates, const std::vector<double>& times) {
    std::ostringstream note;
    note << std::fixed << std::setprecision(1);
    for (size_t index = 0; index < candidates.size(); ++index) {
        if (index > 0) note << ", ";
        note << candidates[index].name << ' ' << times[index] / 1000 << " µs";
    }
    return note.str();
}

}  // namespace

Selection selectFastest(const std::string& work, const std::vector<Candidate>& candidates, bool measure) {
    if (const auto wanted = switches().candidate) {
        const size_t index = std::min(*wanted, candidates.size() - 1);
        return {.index = index, .note = text("candidate ", index, " by OPSCOPE_CANDIDATE")};
    }
    if (candidates.size() < 2 || !measure) return {};
    const std::string key = work + " threads " + std::to_string(omp_get_max_threads());
    static std::mutex mutex;
    static std::map<std::string, Selection> known;
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end() && found->second.index < candidates.size()) {
        return found->second;
    }
    std::vector<double> times;
    for (const Candidate& candidate : candidates) times.push_back(candidate.timeNs());
    Selection selection;
    selection.index = std::min_element(times.begin(), times.end()) - times.begin();
    selection.note = noteOn(candidates, times);
    return known[key] = selection;
}

double timePrimitive(const dnnl::primitive& primitive, const std::vector<OnednnCall::Argument>& arguments) {
    const OnednnCall call(primitive, arguments);
    std::vector<Tensor> buffers;
    std::vector<void*> pointers;
    for (const OnednnCall::Argument& argument : arguments) {
        const size_t bytes = std::max<size_t>(argument.desc.get_size(), 4);
        buffers.push_back(Tensor::allocate(DataType::float32, {static_cast<int64_t>(bytes + 3) / 4}));
        const auto values = buffers.back().mutableValues<float>();
        std::fill(values.begin(), values.end(), 0.01F);
        pointers.push_back(buffers.back().mutableData());
    }
    return timeOf([&] { call.run(pointers); });
}

}  // namespace engine::cpu
