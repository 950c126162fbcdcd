package dev.edl.k8s.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ExceptionHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class ReconnectingInformerTest {
    private static final String REFUSAL = "pods is forbidden: User \"system:serviceaccount:team:trainer\" cannot watch"
            + " resource \"pods\" in API group \"\" in the namespace \"team\"";

    private final List<String> logged = new ArrayList<>();

    /** Informer that only receives its exception handler. */
    @SuppressWarnings("unchecked")
    private static ExceptionHandler handler() {
        ExceptionHandler[] given = new ExceptionHandler[1];
        SharedIndexInformer<Pod> informer = (SharedIndexInformer<Pod>) Proxy.newProxyInstance(
                ReconnectingInformerTest.class.getClassLoader(),
                new Class<?>[] {SharedIndexInformer.class},
                (proxy, method, args) -> {
                    given[0] = (ExceptionHandler) args[0];
                    return proxy;
                });
        ReconnectingInformer.tried(informer, "the pods of job \"mnist\"");
        return given[0];
    }

    private boolean goesOn(boolean started) {
        Logger log = Logger.getLogger(ReconnectingInformer.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                logged.add(entry.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        log.addHandler(handler);
        log.setUseParentHandlers(false);
        try {
            return handler().retryAfterException(started, new KubernetesClientException(REFUSAL));
        } finally {
            log.removeHandler(handler);
            log.setUseParentHandlers(true);
        }
    }

    @Test
    void a_watch_that_loses_its_permission_retries_and_logs_the_command() {
        assertThat(goesOn(true)).isTrue();
        assertThat(logged)
                .containsExactly("the pods of job \"mnist\" cannot be watched; retrying: " + REFUSAL
                        + "\nTo grant the permission, an administrator runs:\n$ kubectl create role"
                        + " edl-trainer-pods-watch"
                        + " --namespace team --verb=watch --resource=pods && kubectl create rolebinding"
                        + " edl-trainer-pods-watch --namespace team --role=edl-trainer-pods-watch"
                        + " --serviceaccount=team:trainer");
    }

    @Test
    void a_refused_first_list_throws() {
        assertThat(goesOn(false)).isFalse();
        assertThat(logged).isEmpty();
    }
}
