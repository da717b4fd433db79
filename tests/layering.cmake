# Fails when a source file includes a layer above its own. Row: folder|forbidden include pattern.
cmake_minimum_required(VERSION 3.25)
set(rules
    "engine|<Q|\"(views|app)/"
    "engine/core|\"engine/(graph|ops|onnx|passes|providers|plan|run|profile|quantize|doctor|report)/"
    "engine/graph|\"engine/(ops|onnx|passes|providers|plan|run|profile|quantize|doctor|report)/"
    "engine/ops|\"engine/(onnx|passes|providers|plan|run|profile|quantize|doctor|report)/"
    "engine/onnx|\"engine/(passes|providers|plan|run|profile|quantize|doctor|report)/"
    "engine/passes|\"engine/(onnx|providers|plan|run|profile|quantize|doctor|report)/"
    "engine/providers|\"engine/(onnx|passes|plan|run|profile|quantize|doctor|report)/"
    "engine/io|\"engine/(passes|providers|plan|run|profile|quantize|doctor|report)/"
    "engine/plan|\"engine/(run|profile|quantize|doctor|report)/"
    "engine/profile|\"engine/(run|quantize|doctor|report)/"
    "engine/run|\"engine/(quantize|doctor|report)/"
    "views|\"app/|\"engine/(onnx|ops|passes|providers|plan|run)/"
    "views/graph|\"views/(profile|compare)/"
    "views/graph/layout|<Q"
    "views/profile|\"views/(graph|compare)/"
    "views/compare|\"views/(graph|profile)/"
    "app/cli|<Q|\"views/"
    "app|[<\"](onnx|google/protobuf)/"
    "views|[<\"](onnx|google/protobuf)/"
    "tests|[<\"](onnx|google/protobuf)/"
    "engine/[a-np-z]*|[<\"](onnx|google/protobuf)/"    # all of engine but ops and onnx
    "engine/ops|[<\"](onnx|google/protobuf)/")
foreach(rule IN LISTS rules)
    string(FIND "${rule}" "|" bar)
    string(SUBSTRING "${rule}" 0 ${bar} folder)
    math(EXPR next "${bar} + 1")
    string(SUBSTRING "${rule}" ${next} -1 pattern)
    file(GLOB_RECURSE sources ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cpp ${ROOT}/${folder}/*.cu)
    foreach(source IN LISTS sources)
        file(STRINGS ${source} hits REGEX "^ *# *include (${pattern})")
        foreach(hit IN LISTS hits)
            message(SEND_ERROR "${source}: ${hit}")
        endforeach()
    endforeach()
endforeach()
