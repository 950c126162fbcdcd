package dev.edl.conformance;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Shared assertions and waits of the checks: each fails with one line that gives the expectation, and every wait has a
 * limit.
 */
public final class Checks {
    /** Long enough for a busy machine. */
    public static final Duration LIMIT = Duration.ofSeconds(90);

    private static final Duration PAUSE = Duration.ofMillis(20);

    private Checks() {}

    /** Ends this program when a condition does not hold. */
    public static void check(boolean holds, String message) {
        if (!holds) {
            System.err.println("kubernetes: FAILED: " + message);
            System.exit(1);
        }
    }

    /** Waits until a condition holds, and ends this program when it does not within {@link #LIMIT}. */
    public static void until(String what, Supplier<?> state, BooleanSupplier holds) throws InterruptedException {
        until(what, LIMIT, state, holds);
    }

    /** Waits until a condition holds, and ends this program when it does not within the given limit. */
    public static void until(String what, Duration limit, Supplier<?> state, BooleanSupplier holds)
            throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                check(false, "not within " + limit.toSeconds() + " s: " + what + "; there is\n" + state.get());
            }
            pause(what);
        }
    }

    /** Checks for some time that a condition holds, and ends this program as soon as it does not. */
    public static void stays(String what, Duration time, Supplier<?> state, BooleanSupplier holds)
            throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            check(holds.getAsBoolean(), "not for " + time.toSeconds() + " s: " + what + "; there is\n" + state.get());
            pause(what);
        }
    }

    /** Pauses between two requests, to limit the load of the cluster. */
    public static void pause(String what) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(what);
        }
        LockSupport.parkNanos(PAUSE.toNanos());
    }

    /** As {@link #until}, for callers that cannot be interrupted. */
    public static void soon(String what, Supplier<?> state, BooleanSupplier holds) {
        try {
            until(what, state, holds);
        } catch (InterruptedException e) {
            throw new IllegalStateException(what, e);
        }
    }

    /** Installs a kind unless another check did, and waits until the API server serves it. */
    public static void install(KubernetesClient client, CustomResourceDefinition definition)
            throws InterruptedException {
        if (client.resource(definition).get() == null) {
            client.resource(definition).create();
        }
        String name = definition.getMetadata().getName();
        until(name + " is served", () -> client.resource(definition).get(), () -> {
            CustomResourceDefinition there = client.resource(definition).get();
            return there.getStatus() != null
                    && there.getStatus().getConditions() != null
                    && there.getStatus().getConditions().stream()
                            .anyMatch(one -> one.getType().equals("Established")
                                    && one.getStatus().equals("True"));
        });
    }

    /** Creates a namespace, optionally with Pod Security restricted enforced. */
    public static void namespace(KubernetesClient client, String name, boolean restricted) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(restricted ? Map.of("pod-security.kubernetes.io/enforce", "restricted") : Map.of())
                        .endMetadata()
                        .build())
                .create();
    }

    /** Creates a pod that belongs to no job and never runs, so that its name is taken. */
    public static void foreign(KubernetesClient client, String namespace, String name) {
        soon(
                namespace + " has an account for pods",
                () -> "",
                () -> client.serviceAccounts()
                                .inNamespace(namespace)
                                .withName("default")
                                .get()
                        != null);
        client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .addNewSchedulingGate("edl.local/never")
                        .addNewContainer()
                        .withName("none")
                        .withImage("edl.local/none:1")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
    }

    /** Whether the scheduler finds no node for a pod; deletes a pod that it places, so that the caller can retry. */
    private static boolean isRefused(KubernetesClient client) {
        PodResource probe = client.pods().inNamespace("default").withName("probe");
        Pod pod = probe.get();
        if (pod == null) {
            client.pods()
                    .inNamespace("default")
                    .resource(new PodBuilder()
                            .withNewMetadata()
                            .withName("probe")
                            .endMetadata()
                            .withNewSpec()
                            .addNewContainer()
                            .withName("probe")
                            .withImage("edl.local/busybox:1")
                            .withCommand("true")
                            .endContainer()
                            .endSpec()
                            .build())
                    .create();
            return false;
        }
        Optional<PodCondition> scheduled = pod.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("PodScheduled"))
                .findFirst();
        if (scheduled.isPresent() && pod.getMetadata().getDeletionTimestamp() == null) {
            probe.withGracePeriod(0).delete();
        }
        return scheduled
                .filter(condition -> condition.getStatus().equals("False"))
                .isPresent();
    }

    /** Cordons or uncordons all nodes; after a cordon, waits until the scheduler has observed it. */
    public static void cordon(KubernetesClient client, boolean on) {
        client.nodes()
                .list()
                .getItems()
                .forEach(node -> client.nodes()
                        .withName(node.getMetadata().getName())
                        .patch(
                                PatchContext.of(PatchType.STRATEGIC_MERGE),
                                "{\"spec\":{\"unschedulable\":" + on + "}}"));
        if (on) {
            soon(
                    "the scheduler knows that no node takes pods",
                    () -> client.nodes().list(),
                    () -> isRefused(client));
        }
    }

    /** Runs a program, which must succeed. */
    public static void command(String... words) throws Exception {
        Process process = new ProcessBuilder(words).inheritIO().start();
        Checks.check(process.waitFor() == 0, String.join(" ", words) + " ended with " + process.exitValue());
    }

    /**
     * Returns the size of a pod; three fit a node, and four do not.
     *
     * @param memory such as {@code 256Mi}
     */
    public static String size(KubernetesClient client, String memory) {
        Quantity cpu = client.nodes()
                .withName("node-1")
                .get()
                .getStatus()
                .getAllocatable()
                .get("cpu");
        int milli =
                Quantity.getAmountInBytes(cpu).multiply(BigDecimal.valueOf(300)).intValue();
        return "cpu=" + milli + "m,memory=" + memory;
    }

    /** Creates a volume of a folder of this machine, for pods of all nodes, and its claim {@code NAME-claim}. */
    public static void volume(Path folder, String namespace, String name) throws Exception {
        volume(folder, name);
        Kubectl.run("apply", "-f", file("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %1$s-claim, namespace: %2$s}
                spec:
                  accessModes: [ReadWriteMany]
                  storageClassName: ""
                  volumeName: %1$s
                  resources: {requests: {storage: 2Gi}}
                """.formatted(name, namespace)));
    }

    /** Creates a volume of a folder of this machine, which a claim without a storage class can have. */
    public static void volume(Path folder, String name) throws IOException {
        Kubectl.run("apply", "-f", file("""
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: %2$s}
                spec:
                  capacity: {storage: 2Gi}
                  accessModes: [ReadWriteMany]
                  storageClassName: ""
                  hostPath: {path: %1$s}
                """.formatted(folder, name)));
    }

    /** Returns the path of a temporary file with a text, deleted at exit. */
    public static String file(String yaml) throws IOException {
        Path file = Files.createTempFile("edl", ".yaml");
        Files.writeString(file, yaml);
        file.toFile().deleteOnExit();
        return file.toString();
    }
}
