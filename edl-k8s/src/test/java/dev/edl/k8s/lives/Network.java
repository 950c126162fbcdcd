package dev.edl.k8s.lives;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.function.Supplier;

/** Network between a client and the API server. It carries requests, and may inject faults. */
interface Network {
    /** Network without delays and faults. */
    Network CLEAR = new Network() {
        @Override
        public <T> T carry(Request request, Supplier<T> effect) {
            return effect.get();
        }

        @Override
        public long lag() {
            return 0;
        }
    };

    /**
     * Carries one request.
     *
     * @param effect the server's action, and its answer or refusal
     */
    <T> T carry(Request request, Supplier<T> effect);

    /** Called when a client's watch has shown a pod. */
    default void shown(String client, Pod pod) {}

    /** Returns the delay of a watch's next event in milliseconds. */
    long lag();
}
