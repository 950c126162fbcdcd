package dev.edl.runtime.program;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.edl.runtime.proof.TaskType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Codec of a {@link TrainingSummary} as a line of JSON, which differs from the line of any event. */
final class SummaryJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String KIND = "Summary";

    private SummaryJson() {}

    static String write(TrainingSummary summary) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("kind", KIND);
        if (summary.work() != TaskType.TRAINING) {
            json.put("work", summary.work().name());
        }
        json.put("steps", summary.steps());
        ObjectNode metrics = json.putObject("metrics");
        summary.metrics().forEach((name, value) -> {
            if (Double.isFinite(value)) {
                metrics.put(name, value);
            } else {
                metrics.putNull(name);
            }
        });
        json.put("exactlyOnce", summary.exactlyOnce());
        json.put("proof", summary.proof());
        json.put("took", summary.took().toString());
        json.put("records", summary.records());
        json.put("recordsPerSecond", summary.recordsPerSecond());
        summary.checkpoint().ifPresent(path -> json.put("checkpoint", path.toString()));
        summary.export().ifPresent(path -> json.put("export", path.toString()));
        summary.output().ifPresent(output -> json.put("output", output));
        summary.stopped().ifPresent(why -> json.put("stopped", why));
        json.put("reproduce", summary.reproduce());
        return json.toString();
    }

    /** Reads a line; empty for a line of another kind. */
    static Optional<TrainingSummary> read(String line) {
        JsonNode json;
        try {
            json = MAPPER.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a result line must be JSON, was \"" + line + "\"", e);
        }
        if (!json.path("kind").asText().equals(KIND)) {
            return Optional.empty();
        }
        Map<String, Double> metrics = new LinkedHashMap<>();
        json.path("metrics")
                .properties()
                .forEach(
                        metric -> metrics.put(metric.getKey(), metric.getValue().asDouble(Double.NaN)));
        return Optional.of(new TrainingSummary(
                text(json, "work").map(TaskType::valueOf).orElse(TaskType.TRAINING),
                json.path("steps").asLong(),
                metrics,
                json.path("exactlyOnce").asBoolean(),
                json.path("proof").asText(),
                Duration.parse(json.path("took").asText()),
                json.path("records").asLong(),
                json.path("recordsPerSecond").asDouble(),
                text(json, "checkpoint").map(Path::of),
                text(json, "export").map(Path::of),
                text(json, "output"),
                text(json, "stopped"),
                json.path("reproduce").asText()));
    }

    private static Optional<String> text(JsonNode json, String name) {
        return Optional.of(json.path(name)).filter(JsonNode::isTextual).map(JsonNode::asText);
    }
}
