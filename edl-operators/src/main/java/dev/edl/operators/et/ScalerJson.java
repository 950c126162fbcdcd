package dev.edl.operators.et;

import dev.edl.operators.crd.et.ScalePhase;
import dev.edl.operators.crd.et.ScaleRequest;
import dev.edl.operators.crd.et.ScaleState;
import dev.edl.operators.crd.et.Scaler;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** JSON form of a persisted scaling request. Pure. */
final class ScalerJson {
    private ScalerJson() {}

    static Map<String, Object> text(Scaler scaler) {
        Map<String, Object> text = new LinkedHashMap<>();
        text.put("name", scaler.name());
        text.put("created", scaler.created().toString());
        text.put("change", scaler.request().change());
        text.put("timeout", scaler.request().timeout().toString());
        text.put("phase", scaler.state().phase().name());
        text.put("since", scaler.state().since().map(Instant::toString).orElse(""));
        text.put("pods", scaler.state().pods());
        text.put("message", scaler.state().message());
        return text;
    }

    /**
     * Reads a persisted request; empty when the data hold none.
     *
     * @param text plain data of the persisted JSON
     * @param request creates the scaling request for a change of the number of workers
     */
    static Optional<Scaler> read(Map<?, ?> text, IntFunction<ScaleRequest> request) {
        if (!text.containsKey("change")) {
            return Optional.empty();
        }
        ScaleState state = new ScaleState(
                ScalePhase.valueOf(text(text, "phase")),
                Optional.of(text(text, "since"))
                        .filter(since -> !since.isEmpty())
                        .map(Instant::parse),
                text.get("pods") instanceof List<?> pods
                        ? pods.stream().map(String::valueOf).toList()
                        : List.of(),
                text(text, "message"));
        Scaler scaler = new Scaler(
                text(text, "name"), Instant.parse(text(text, "created")), request.apply(number(text, "change")));
        return Optional.of(scaler.with(state));
    }

    static int number(Map<?, ?> kept, String key) {
        return Integer.parseInt(text(kept, key));
    }

    static String text(Map<?, ?> kept, String key) {
        return String.valueOf(kept.get(key));
    }
}
