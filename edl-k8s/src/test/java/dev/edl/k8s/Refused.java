package dev.edl.k8s;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.dsl.TimesOnceableOrHttpHeaderable;

/** Refusals of a mock server. */
public final class Refused {
    private Refused() {}

    /**
     * Refuses to create objects of namespace {@code test}; the caller sets how often.
     *
     * @param plural of the core group: {@code services}
     */
    public static TimesOnceableOrHttpHeaderable<Void> create(
            KubernetesMockServer server, String plural, int code, String reason, String message) {
        Status status = new StatusBuilder()
                .withCode(code)
                .withReason(reason)
                .withMessage(message)
                .build();
        return server.expect()
                .post()
                .withPath("/api/v1/namespaces/test/" + plural)
                .andReturn(code, status);
    }
}
