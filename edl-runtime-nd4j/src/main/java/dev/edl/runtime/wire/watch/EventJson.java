package dev.edl.runtime.wire.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.edl.runtime.Progress;
import dev.edl.runtime.ResumedProgress;
import dev.edl.runtime.TrainingEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * JSON lines of training events. A line of an unknown kind, which a later version may write, is read as empty. An older
 * submitter thus gets the other events.
 */
public final class EventJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String KIND = "kind";

    private EventJson() {}

    /** Returns the JSON line of an event; empty for events that only a pass over data emits. */
    public static Optional<String> write(TrainingEvent event) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put(KIND, event.getClass().getSimpleName());
        if (event instanceof TrainingEvent.Loss loss) {
            json.put("worker", loss.worker());
            json.put("steps", loss.steps());
            put(json, "loss", loss.loss());
        } else if (event instanceof TrainingEvent.Evaluation evaluation) {
            json.put("step", evaluation.step());
            ObjectNode metrics = json.putObject("metrics");
            evaluation.metrics().forEach((name, value) -> put(metrics, name, value));
        } else if (event instanceof TrainingEvent.Progressed progressed) {
            json.set("progress", of(progressed.progress()));
        } else if (event instanceof TrainingEvent.EpochStarted started) {
            json.put("epoch", started.epoch());
            json.put("tasks", started.tasks());
        } else if (event instanceof TrainingEvent.Resumed resumed) {
            ResumedProgress from = resumed.from();
            json.put("checkpoint", from.checkpoint().toString());
            json.put("version", from.version());
            json.put("records", from.records());
            json.put("took", from.took().toString());
        } else if (event instanceof TrainingEvent.Stopped stopped) {
            json.put("steps", stopped.steps());
            json.put("reason", stopped.reason());
        } else if (event instanceof TrainingEvent.CheckpointWritten written) {
            json.put("version", written.version());
            json.put("directory", written.directory().toString());
        } else if (event instanceof TrainingEvent.Exported exported) {
            json.put("file", exported.file().toString());
        } else if (event instanceof TrainingEvent.EvaluationLost lost) {
            json.put("step", lost.step());
        } else if (event instanceof TrainingEvent.BestVersionLost lost) {
            json.put("step", lost.step());
        } else if (event instanceof TrainingEvent.CallbackCutOff cut) {
            json.put("callback", cut.callback());
            json.put("what", cut.what());
        } else if (event instanceof TrainingEvent.ReplicaAbsent absent) {
            json.put("replica", absent.replica());
            json.put("since", absent.since().toString());
            json.put("waiting", absent.waiting());
            json.put("overdue", absent.overdue());
        } else if (event instanceof TrainingEvent.ReplicaReturned returned) {
            json.put("replica", returned.replica());
            json.put("absence", returned.absence().toString());
        } else if (event instanceof TrainingEvent.TasksRecovered recovered) {
            json.put("worker", recovered.worker());
            json.put("tasks", recovered.tasks());
        } else if (!(event instanceof TrainingEvent.BegunAnew)) {
            return Optional.empty();
        }
        return Optional.of(json.toString());
    }

    /**
     * Returns the event of a line; empty for a kind that this version does not have.
     *
     * @throws IllegalArgumentException when it is not a line of an event
     */
    public static Optional<TrainingEvent> read(String line) {
        JsonNode json;
        try {
            json = MAPPER.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no event of a training: " + line, e);
        }
        return Optional.ofNullable(
                switch (json.path(KIND).asText()) {
                    case "Loss" ->
                        new TrainingEvent.Loss(
                                text(json, "worker"), json.path("steps").asLong(), (float)
                                        json.path("loss").asDouble(Double.NaN));
                    case "Evaluation" ->
                        new TrainingEvent.Evaluation(json.path("step").asLong(), metrics(json.path("metrics")));
                    case "Progressed" -> new TrainingEvent.Progressed(progress(json.path("progress")));
                    case "EpochStarted" ->
                        new TrainingEvent.EpochStarted(
                                json.path("epoch").asInt(), json.path("tasks").asInt());
                    case "Resumed" ->
                        new TrainingEvent.Resumed(new ResumedProgress(
                                Path.of(text(json, "checkpoint")),
                                json.path("version").asLong(),
                                json.path("records").asLong(),
                                Duration.parse(text(json, "took"))));
                    case "Stopped" ->
                        new TrainingEvent.Stopped(json.path("steps").asLong(), text(json, "reason"));
                    case "CheckpointWritten" ->
                        new TrainingEvent.CheckpointWritten(
                                json.path("version").asLong(), Path.of(text(json, "directory")));
                    case "Exported" -> new TrainingEvent.Exported(Path.of(text(json, "file")));
                    case "EvaluationLost" ->
                        new TrainingEvent.EvaluationLost(json.path("step").asLong());
                    case "BestVersionLost" ->
                        new TrainingEvent.BestVersionLost(json.path("step").asLong());
                    case "CallbackCutOff" ->
                        new TrainingEvent.CallbackCutOff(text(json, "callback"), text(json, "what"));
                    case "ReplicaAbsent" ->
                        new TrainingEvent.ReplicaAbsent(
                                text(json, "replica"),
                                Duration.parse(text(json, "since")),
                                text(json, "waiting"),
                                json.path("overdue").asBoolean());
                    case "ReplicaReturned" ->
                        new TrainingEvent.ReplicaReturned(text(json, "replica"), Duration.parse(text(json, "absence")));
                    case "TasksRecovered" ->
                        new TrainingEvent.TasksRecovered(
                                text(json, "worker"), json.path("tasks").asInt());
                    case "BegunAnew" -> new TrainingEvent.BegunAnew();
                    default -> null;
                });
    }

    private static ObjectNode of(Progress progress) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("epoch", progress.epoch());
        json.put("epochs", progress.epochs());
        json.put("tasksDone", progress.tasksDone());
        json.put("tasks", progress.tasks());
        json.put("recordsDone", progress.recordsDone());
        json.put("records", progress.records());
        json.put("step", progress.step());
        put(json, "loss", progress.loss());
        put(json, "recordsPerSecond", progress.recordsPerSecond());
        json.put("elapsed", progress.elapsed().toString());
        return json;
    }

    private static Progress progress(JsonNode json) {
        return new Progress(
                json.path("epoch").asInt(),
                json.path("epochs").asInt(),
                json.path("tasksDone").asInt(),
                json.path("tasks").asInt(),
                json.path("recordsDone").asLong(),
                json.path("records").asLong(),
                json.path("step").asLong(),
                json.path("loss").asDouble(Double.NaN),
                json.path("recordsPerSecond").asDouble(),
                Duration.parse(text(json, "elapsed")));
    }

    private static Map<String, Double> metrics(JsonNode json) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        json.properties()
                .forEach(field -> metrics.put(field.getKey(), field.getValue().asDouble(Double.NaN)));
        return Collections.unmodifiableMap(metrics);
    }

    /** Adds a number to the JSON object; NaN or an infinity, which JSON lacks, is written as null. */
    private static void put(ObjectNode json, String name, double value) {
        if (Double.isFinite(value)) {
            json.put(name, value);
        } else {
            json.putNull(name);
        }
    }

    private static String text(JsonNode json, String name) {
        JsonNode value = json.path(name);
        if (!value.isTextual()) {
            throw new IllegalArgumentException(
                    "an event of a training must have the text \"" + name + "\", was " + json);
        }
        return value.asText();
    }
}
