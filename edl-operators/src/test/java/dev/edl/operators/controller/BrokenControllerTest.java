package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import dev.edl.operators.crd.CustomObject;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A controller does not continue as leader after an Error in one of its threads. */
@MockCluster
class BrokenControllerTest {
    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private static final AtomicInteger BROKE = new AtomicInteger();

    private static final ManagedKind BREAKS = new ManagedKind() {
        @Override
        public CustomResourceDefinition definition() {
            return JobKinds.tfJob().definition();
        }

        @Override
        public ObjectDriver open(CustomObject object, ObjectDriverContext context) {
            BROKE.incrementAndGet();
            throw new OutOfMemoryError("of the test");
        }
    };

    private void create() {
        GenericKubernetesResource object = CustomObject.fromYaml("""
                apiVersion: tensorflow.org/v1alpha1
                kind: TfJob
                metadata: {name: job}
                spec: {}
                """).toKubernetes();
        WatchedKind.of(BREAKS).in(client).inNamespace("test").resource(object).create();
    }

    /** The thread that closes a failed controller may outlive the test's own close, and other tests check threads. */
    @AfterEach
    void no_thread_is_left() {
        Polled.until(
                "the thread that ended the controller is gone",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("edl-controller-broken")));
    }

    private ControllerBuilder controller() {
        return Controller.using(client).kind(BREAKS).namespaces("test").identity("me");
    }

    @Test
    void a_controller_that_breaks_leads_no_more() {
        create();
        int before = BROKE.get();
        try (Controller controller = controller().start()) {
            Polled.until(controller + " broke and ended", () -> BROKE.get() > before && !controller.leads());
        }
        assertThat(BROKE).hasValue(before + 1);
    }

    @Test
    void a_program_hears_of_the_error() {
        create();
        AtomicReference<Error> error = new AtomicReference<>();
        try (Controller controller = controller().onError(error::set).start()) {
            Polled.until(controller + " tells it", () -> error.get() != null);
            assertThat(error.get()).hasMessage("of the test");
        }
    }
}
