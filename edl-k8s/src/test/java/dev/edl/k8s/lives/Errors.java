package dev.edl.k8s.lives;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.Serial;

/** API server refusals, as fabric8's client throws them. */
final class Errors {
    private Errors() {}

    static KubernetesClientException of(int code, String reason, String message) {
        return new Refused(code, reason, message);
    }

    static KubernetesClientException missing(String name) {
        return of(404, "NotFound", "\"" + name + "\" not found");
    }

    static KubernetesClientException exists(String name) {
        return of(409, "AlreadyExists", "\"" + name + "\" already exists");
    }

    static KubernetesClientException conflict(String name) {
        return of(409, "Conflict", "Operation cannot be fulfilled on \"" + name + "\": the object has been modified");
    }

    static KubernetesClientException silence() {
        return new Silence();
    }

    /** Has no stack trace, because nothing reads it and it costs more than the rest of a request. */
    private static final class Refused extends KubernetesClientException {
        @Serial
        private static final long serialVersionUID = 1;

        Refused(int code, String reason, String message) {
            super(new StatusBuilder()
                    .withCode(code)
                    .withReason(reason)
                    .withMessage(message)
                    .build());
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    private static final class Silence extends KubernetesClientException {
        @Serial
        private static final long serialVersionUID = 1;

        Silence() {
            super("request timed out", new IOException("timeout"));
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
