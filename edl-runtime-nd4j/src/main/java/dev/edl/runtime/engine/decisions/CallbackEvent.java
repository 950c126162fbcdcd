package dev.edl.runtime.engine.decisions;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Event of the training that callbacks receive. */
public sealed interface CallbackEvent {
    /**
     * An evaluation is complete.
     *
     * @param version the evaluated version
     * @param lives number that identifies the lives of all shards when the version was pinned
     * @param metrics metric name to value
     */
    record Evaluated(long version, long lives, Map<String, Double> metrics) implements CallbackEvent {
        /** Copies the map. */
        public Evaluated {
            metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        }

        @Override
        public String toString() {
            return "the evaluation of version " + version;
        }
    }

    /**
     * A checkpoint was written.
     *
     * @param directory name of the checkpoint's folder in the checkpoint directory
     */
    record Checkpointed(long version, String directory) implements CallbackEvent {
        @Override
        public String toString() {
            return "the checkpoint of version " + version;
        }
    }

    /** The training has succeeded. */
    record Ended() implements CallbackEvent {
        @Override
        public String toString() {
            return "the end";
        }
    }
}
