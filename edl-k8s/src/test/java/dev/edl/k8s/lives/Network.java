package dev.edl.k8s.lives;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.function.Supplier;

/** Between a client and the API server: carries requests, and may do worse. */
interface Network {
    /** A network that carries everything at once. */
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
     * @param effect what the server does, and its answer or refusal
     */
    <T> T carry(Request request, Supplier<T> effect);

    /** A client's watch has shown a pod. */
    default void shown(String client, Pod pod) {}

    /** Returns how many milliseconds the next event of a watch is on its way. */
    long lag();
}
