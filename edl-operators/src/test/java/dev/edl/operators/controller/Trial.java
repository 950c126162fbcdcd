package dev.edl.operators.controller;

import dev.edl.k8s.Polled;
import dev.edl.k8s.render.TfJobOperatorConfig;
import dev.edl.operators.controller.internal.ObjectKey;
import dev.edl.operators.controller.metrics.ControllerMetricsSnapshot;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.mxjob.MxJobGroup;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Controller on fabric8's mock; the test acts as users and kubelets. The mock collects no garbage. */
public final class Trial implements AutoCloseable {
    private static final Duration TOUCH = Duration.ofSeconds(5);

    private final KubernetesClient client;
    private final List<ManagedKind> kinds;
    private LeaderSession session;

    Trial(KubernetesClient client) {
        this(client, TfJobOperatorConfig.parse("{}"));
    }

    public Trial(KubernetesClient client, TfJobOperatorConfig config) {
        this(client, List.of(JobKinds.tfJob(config), JobKinds.mxJob(config, MxJobGroup.MXNET_MLKUBE)));
    }

    /** Starts a controller of TfJobs by the first of these kinds. */
    public Trial(KubernetesClient client, List<ManagedKind> kinds) {
        this.client = client;
        this.kinds = kinds;
        this.session = new LeaderSession(client, LeaderSessionSettings.of(kinds, List.of("test")));
    }

    /** Replaces this controller by another one. */
    void restart() {
        session.close();
        session = new LeaderSession(client, LeaderSessionSettings.of(kinds, List.of("test")));
    }

    ControllerMetricsSnapshot metrics() {
        return session.metrics();
    }

    /** Ends the session: no controller leads. */
    void stop() {
        session.close();
    }

    public void create(String yaml) {
        GenericKubernetesResource object = CustomObject.fromYaml(yaml).toKubernetes();
        kinds.stream()
                .map(WatchedKind::of)
                .filter(watchedKind ->
                        watchedKind.key().equals(ObjectKey.kind(object.getApiVersion(), object.getKind())))
                .findFirst()
                .orElseThrow()
                .in(client)
                .inNamespace("test")
                .resource(object)
                .create();
    }

    private WatchedKind of(String kind) {
        return kinds.stream()
                .map(WatchedKind::of)
                .filter(watchedKind -> watchedKind.name().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    Resource<GenericKubernetesResource> object(String kind, String name) {
        return of(kind).in(client).inNamespace("test").withName(name);
    }

    Resource<GenericKubernetesResource> tfJob(String name) {
        return object("TfJob", name);
    }

    /** Returns the status once it is as expected. */
    Map<String, Object> await(Resource<GenericKubernetesResource> object, Predicate<Map<String, Object>> expected) {
        // The controller's watch may start too late for the mock to report objects created just then.
        return status(Polled.until(
                object,
                there -> expected.test(status(there)),
                TOUCH,
                () -> object.edit(there -> {
                    Map<String, String> notes =
                            new HashMap<>(there.getMetadata().getAnnotations());
                    notes.merge("touched", "1", String::concat);
                    there.getMetadata().setAnnotations(notes);
                    return there;
                })));
    }

    Map<String, Object> awaitPhase(Resource<GenericKubernetesResource> object, String phase) {
        return await(object, status -> phase.equals(status.get("phase")));
    }

    @SuppressWarnings("unchecked") // A status is JSON.
    private static Map<String, Object> status(GenericKubernetesResource object) {
        Object status = object.getAdditionalProperties().get("status");
        return status instanceof Map ? (Map<String, Object>) status : Map.of();
    }

    /** Returns one entry of {@code replicaStatuses}; empty while there is none. */
    static Map<?, ?> replicas(Map<String, Object> status, String type) {
        if (status.get("replicaStatuses") instanceof List<?> all) {
            for (Object one : all) {
                if (one instanceof Map<?, ?> map && map.containsValue(type)) {
                    return map;
                }
            }
        }
        return Map.of();
    }

    /** Returns the state of a type. */
    static String state(Map<String, Object> status, String type) {
        return String.valueOf(replicas(status, type).get("state"));
    }

    /** Returns the number of replicas of a type by state. */
    static Map<?, ?> states(Map<String, Object> status, String type) {
        return replicas(status, type).get("ReplicasStates") instanceof Map<?, ?> states ? states : Map.of();
    }

    public Pod pod(String name) {
        return Polled.until(client.pods().inNamespace("test").withName(name), there -> true);
    }

    /** Returns the pod that replaced another one under its name. */
    Pod successor(Pod of) {
        String uid = of.getMetadata().getUid();
        return Polled.until(
                client.pods().inNamespace("test").withName(of.getMetadata().getName()),
                there -> !there.getMetadata().getUid().equals(uid));
    }

    void running(String pod) {
        status(
                pod,
                "Running",
                new ContainerStatusBuilder()
                        .withName(container(pod))
                        .withNewState()
                        .withNewRunning()
                        .endRunning()
                        .endState()
                        .build());
    }

    void ended(String pod, int exitCode, String reason) {
        status(
                pod,
                exitCode == 0 ? "Succeeded" : "Failed",
                new ContainerStatusBuilder()
                        .withName(container(pod))
                        .withNewState()
                        .withNewTerminated()
                        .withExitCode(exitCode)
                        .withReason(reason)
                        .endTerminated()
                        .endState()
                        .build());
    }

    private String container(String pod) {
        return pod(pod).getSpec().getContainers().get(0).getName();
    }

    private void status(String pod, String phase, ContainerStatus container) {
        client.pods()
                .inNamespace("test")
                .withName(pod)
                .editStatus(p -> p.edit()
                        .withNewStatus()
                        .withPhase(phase)
                        .withContainerStatuses(container)
                        .endStatus()
                        .build());
    }

    @Override
    public void close() {
        session.close();
    }
}
