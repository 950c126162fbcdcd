package dev.edl.reconcile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.edl.spec.RoleType;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reads and writes a job state as JSON without white space; default values are omitted. */
final class StateJson {
    private static final int VERSION = 1;
    private static final JsonMapper JSON = new JsonMapper();

    private StateJson() {}

    /** Returns the JSON of a state in parts: the head, a part for each replica with the comma before it, the tail. */
    static List<String> parts(JobState state) {
        List<String> parts = new ArrayList<>(state.replicas().size() + 2);
        parts.add(head(state));
        for (ReplicaState replica : state.replicas().values()) {
            String next = replica.jsonWithComma();
            parts.add(parts.size() == 1 ? next.substring(1) : next);
        }
        parts.add("]}");
        return Collections.unmodifiableList(parts);
    }

    private static String head(JobState state) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("version", VERSION);
        json.put("phase", state.phase().name());
        text(json, "message", state.message().isEmpty() ? Optional.empty() : Optional.of(state.message()));
        ObjectNode desired = json.putObject("desired");
        state.desired().forEach((role, replicas) -> desired.put(role.id(), replicas));
        if (!state.pinnedIds().isEmpty()) {
            ObjectNode members = json.putObject("members");
            state.pinnedIds().forEach((role, ids) -> ids.forEach(members.putArray(role.id())::add));
        }
        ObjectNode nextIds = json.putObject("nextIds");
        state.nextIds().forEach((role, id) -> nextIds.put(role.id(), id));
        text(json, "startedAt", state.startedAt());
        text(json, "resumedAt", state.resumedAt());
        text(json, "endedAt", state.endedAt());
        flag(json, "cancelRequested", state.cancelRequested());
        flag(json, "suspendRequested", state.suspendRequested());
        text(json, "collectAsked", state.collectRequestedAt());
        flag(json, "collected", state.collected());
        json.putArray("replicas");
        String empty = json.toString();
        return empty.substring(0, empty.length() - "]}".length());
    }

    static String write(ReplicaState replica) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", replica.name());
        json.put("role", replica.role().id());
        json.put("id", replica.id());
        number(json, "index", replica.index(), replica.id());
        json.put("stage", replica.stage().name());
        number(json, "spent", replica.relaunchesUsed(), 0);
        number(json, "restarts", replica.restarts(), 0);
        number(json, "retries", replica.retries(), 0);
        flag(json, "seen", replica.everObserved());
        text(json, "uid", replica.shortUid());
        json.put("created", replica.createdAt().toString());
        text(json, "ended", replica.endedAt());
        text(json, "notBefore", replica.backoffUntil());
        text(json, "asked", replica.requestedAt());
        text(json, "notice", replica.drainNotice());
        text(json, "evacuated", replica.drainedAt());
        replica.exitCode().ifPresent(code -> json.put("exitCode", code));
        text(json, "blocked", replica.blockedSince());
        text(json, "reason", replica.reason());
        text(json, "message", replica.message());
        return json.toString();
    }

    private static void text(ObjectNode json, String key, Optional<?> value) {
        value.ifPresent(some -> json.put(key, some.toString()));
    }

    private static void flag(ObjectNode json, String key, boolean value) {
        if (value) {
            json.put(key, true);
        }
    }

    private static void number(ObjectNode json, String key, int value, int usual) {
        if (value != usual) {
            json.put(key, value);
        }
    }

    static JobState read(String text) {
        try {
            Reading json = new Reading("state", JSON.readTree(text));
            int version = json.number("version", 0);
            if (version != VERSION) {
                throw json.wrong(
                        "version",
                        "must be " + VERSION + ", was " + version
                                + "; a newer EDL wrote it, or it is not a state of a job");
            }
            JobState.Builder state = JobState.builder()
                    .phase(json.word("phase", JobPhase.class))
                    .message(json.text("message").orElse(""))
                    .startedAt(json.time("startedAt"))
                    .resumedAt(json.time("resumedAt"))
                    .endedAt(json.time("endedAt"))
                    .cancelRequested(json.flag("cancelRequested"))
                    .suspendRequested(json.flag("suspendRequested"))
                    .collectRequestedAt(json.time("collectAsked"))
                    .collected(json.flag("collected"));
            json.roles("desired", state::putDesired);
            if (json.has("members")) {
                json.ids("members", state::putPinnedIds);
            }
            json.roles("nextIds", state::putNextIds);
            int at = 0;
            Map<String, ReplicaState> replicas = new LinkedHashMap<>();
            for (JsonNode replica : json.list("replicas")) {
                Reading one = new Reading("state.replicas[" + at++ + "]", replica);
                ReplicaState read = replica(one);
                if (replicas.put(read.name(), read) != null) {
                    throw one.wrong("name", "must be unique, was \"" + read.name() + "\" twice");
                }
            }
            state.replicas(ReplicaStates.of(replicas.values()));
            json.end();
            return state.build();
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "state is not valid JSON (column " + e.getLocation().getColumnNr() + "): " + e.getOriginalMessage(),
                    e);
        }
    }

    private static ReplicaState replica(Reading json) {
        int id = json.number("id", -1);
        ReplicaState replica = ReplicaState.builder()
                .name(json.must("name"))
                .role(json.role("role"))
                .id(id)
                .index(json.number("index", id))
                .stage(json.word("stage", ReplicaStage.class))
                .relaunchesUsed(json.number("spent", 0))
                .restarts(json.number("restarts", 0))
                .retries(json.number("retries", 0))
                .everObserved(json.flag("seen"))
                .uid(json.text("uid"))
                .createdAt(json.time("created").orElseThrow(() -> json.wrong("created", "is missing")))
                .endedAt(json.time("ended"))
                .backoffUntil(json.time("notBefore"))
                .requestedAt(json.time("asked"))
                .drainNotice(json.text("notice"))
                .drainedAt(json.time("evacuated"))
                .exitCode(json.has("exitCode") ? OptionalInt.of(json.number("exitCode", 0)) : OptionalInt.empty())
                .blockedSince(json.time("blocked"))
                .reason(json.text("reason"))
                .message(json.text("message"))
                .build();
        json.end();
        return replica;
    }

    /** Receiver of the entries of a JSON object that has an integer for each role; called once for each entry. */
    private interface PerRole {
        Object put(RoleType role, int value);
    }

    /** Reader of one JSON object; the message of each exception has the path of the wrong value. */
    private static final class Reading {
        private final String path;
        private final JsonNode json;
        private final Set<String> known = new HashSet<>();

        Reading(String path, @Nullable JsonNode json) {
            this.path = path;
            if (json == null || !json.isObject()) {
                throw new IllegalArgumentException(path + " must be a JSON object, was " + json);
            }
            this.json = json;
        }

        boolean has(String key) {
            known.add(key);
            return json.has(key);
        }

        Optional<String> text(String key) {
            if (!has(key)) {
                return Optional.empty();
            }
            if (!json.get(key).isTextual()) {
                throw wrong(key, "must be a text, was " + json.get(key));
            }
            return Optional.of(json.get(key).textValue());
        }

        String must(String key) {
            return text(key).orElseThrow(() -> wrong(key, "is missing"));
        }

        int number(String key, int usual) {
            if (!has(key)) {
                return usual;
            }
            if (!json.get(key).canConvertToInt() || !json.get(key).isIntegralNumber()) {
                throw wrong(key, "must be a whole number, was " + json.get(key));
            }
            return json.get(key).intValue();
        }

        boolean flag(String key) {
            if (!has(key)) {
                return false;
            }
            if (!json.get(key).isBoolean()) {
                throw wrong(key, "must be true or false, was " + json.get(key));
            }
            return json.get(key).booleanValue();
        }

        Optional<Instant> time(String key) {
            try {
                return text(key).map(Instant::parse);
            } catch (DateTimeException e) {
                throw wrong(key, "must be a time like 2026-01-31T12:00:00Z, was " + json.get(key));
            }
        }

        RoleType role(String key) {
            return RoleType.of(must(key));
        }

        <E extends Enum<E>> E word(String key, Class<E> type) {
            String word = must(key);
            return Arrays.stream(type.getEnumConstants())
                    .filter(value -> value.name().equals(word))
                    .findFirst()
                    .orElseThrow(() -> wrong(
                            key,
                            "must be one of " + Arrays.toString(type.getEnumConstants()) + ", was \"" + word + "\""));
        }

        JsonNode list(String key) {
            if (!has(key) || !json.get(key).isArray()) {
                throw wrong(key, "must be a list, was " + json.get(key));
            }
            return json.get(key);
        }

        void roles(String key, PerRole into) {
            if (!has(key)) {
                throw wrong(key, "is missing");
            }
            Reading of = new Reading(path + "." + key, json.get(key));
            of.json.fieldNames().forEachRemaining(role -> into.put(RoleType.of(role), of.number(role, 0)));
        }

        void ids(String key, BiConsumer<RoleType, List<Integer>> into) {
            Reading of = new Reading(path + "." + key, json.get(key));
            of.json.fieldNames().forEachRemaining(role -> {
                List<Integer> ids = new ArrayList<>();
                for (JsonNode id : of.list(role)) {
                    if (!id.isIntegralNumber() || !id.canConvertToInt()) {
                        throw of.wrong(role, "must be a list of whole numbers, was " + of.json.get(role));
                    }
                    ids.add(id.intValue());
                }
                into.accept(RoleType.of(role), List.copyOf(ids));
            });
        }

        /** Rejects keys that no caller has read: a state that is only partly understood is worse than none. */
        void end() {
            json.fieldNames().forEachRemaining(key -> {
                if (!known.contains(key)) {
                    throw wrong(key, "is unknown; a newer EDL wrote it, or it is not a state of a job");
                }
            });
        }

        IllegalArgumentException wrong(String key, String sentence) {
            return new IllegalArgumentException(path + "." + key + " " + sentence);
        }
    }
}
