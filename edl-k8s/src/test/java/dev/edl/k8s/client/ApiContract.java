package dev.edl.k8s.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * Contract of every {@link ClusterApi}: the in-memory one of the tests, fabric8's mock as far as it can, and a real API
 * server.
 *
 * <p>For the latter, check {@code Api} of conformance/kubernetes compiles this file. Each check needs a namespace
 * without objects of an earlier check.
 */
public final class ApiContract {
    /** No scheduler has this name, so the pod gets no node. */
    private static final String NO_SCHEDULER = "edl-none";

    private static final OptionalLong GRACE = OptionalLong.empty();
    private static final OptionalLong NOW = OptionalLong.of(0);

    private final ClusterApi api;
    private final Consumer<BooleanSupplier> settle;
    private final String image;
    private int names;

    /**
     * Creates the checks of an API.
     *
     * @param image of the pods
     * @param settle waits until a condition holds, and throws after too long
     */
    public ApiContract(ClusterApi api, String image, Consumer<BooleanSupplier> settle) {
        this.api = api;
        this.image = image;
        this.settle = settle;
    }

    /** Named check. */
    public interface Check {
        /** Runs the check; throws for a violation. */
        void run(ApiContract on);
    }

    /** Returns the checks in their order. */
    public static Map<String, Check> checks() {
        Map<String, Check> all = new LinkedHashMap<>();
        all.put("a name is of one pod at a time", ApiContract::oneOfAName);
        all.put("a deletion with a uid is of that pod only", ApiContract::byUid);
        all.put("a pod without a node goes at once", ApiContract::withoutNode);
        all.put("a pod on a node has its grace", ApiContract::grace);
        all.put("a list is as new as its request", ApiContract::consistent);
        all.put("a watch shows changes in their order", ApiContract::order);
        all.put("a watch shows its labels only", ApiContract::labels);
        all.put("a record is replaced by its version", ApiContract::versions);
        all.put("what changes nothing keeps the version", ApiContract::sameVersion);
        all.put("a record is deleted by its uid and version", ApiContract::deleted);
        all.put("pods go with the record that owns them", ApiContract::owned);
        return all;
    }

    /** Runs one check. */
    public void run(String check) {
        Objects.requireNonNull(checks().get(check), check).run(this);
    }

    private Pod pod(String name, String job) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(api.namespace())
                .addToLabels("job", job)
                .endMetadata()
                .withNewSpec()
                .withSchedulerName(NO_SCHEDULER)
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(1000L)
                .addNewContainer()
                .withName("main")
                .withImage(image)
                .endContainer()
                .endSpec()
                .build();
    }

    private String create(Pod pod) {
        api.createPod(api.podText(pod));
        return pod.getMetadata().getName();
    }

    private String uid(String name) {
        return api.pod(name).orElseThrow().getMetadata().getUid();
    }

    /** Returns the uid that a watch knows; empty when it knows no pod of the name. */
    private static String uid(PodWatch watch, String name) {
        Pod pod = watch.get(name);
        return pod == null ? "" : pod.getMetadata().getUid();
    }

    private String name() {
        return "contract-" + names++;
    }

    private static void refused(int code, String reason, ThrowingCallable request) {
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(request)
                .satisfies(e -> assertThat(e.getCode()).isEqualTo(code))
                .satisfies(e -> assertThat(e.getStatus().getReason()).isEqualTo(reason));
    }

    private void oneOfAName() {
        assertThat(api.pod(name())).isEmpty();
        String name = create(pod(name(), "one"));
        refused(409, "AlreadyExists", () -> create(pod(name, "one")));
        assertThat(uid(name)).isNotEmpty();
        api.deletePod(name, Optional.empty(), NOW);
    }

    private void byUid() {
        String name = create(pod(name(), "uid"));
        String first = uid(name);
        api.deletePod(name, Optional.of("00000000-0000-0000-0000-000000000000"), NOW);
        assertThat(uid(name)).isEqualTo(first);
        api.deletePod(name, Optional.of(first), NOW);
        assertThat(api.pod(name)).isEmpty();
        create(pod(name, "uid"));
        assertThat(uid(name)).isNotEqualTo(first);
        api.deletePod(name, Optional.of(first), NOW);
        assertThat(api.pod(name)).isPresent();
        api.deletePod(name, Optional.of(uid(name)), NOW);
        api.deletePod(name, Optional.of(first), NOW);
        api.deletePod(name, Optional.empty(), GRACE);
    }

    private void withoutNode() {
        String name = create(pod(name(), "node"));
        api.deletePod(name, Optional.empty(), GRACE);
        assertThat(api.pod(name)).isEmpty();
    }

    private void grace() {
        String name = create(pod(name(), "grace")
                .edit()
                .editSpec()
                .withNodeName("edl-nowhere")
                .endSpec()
                .build());
        api.deletePod(name, Optional.of(uid(name)), GRACE);
        Pod leaving = api.pod(name).orElseThrow();
        assertThat(leaving.getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(leaving.getMetadata().getDeletionGracePeriodSeconds()).isEqualTo(1000L);
        refused(409, "AlreadyExists", () -> create(pod(name, "grace")));
        api.deletePod(name, Optional.of(uid(name)), NOW);
        assertThat(api.pod(name)).isEmpty();
    }

    /** Records the events of a watch: {@code +name} and {@code -name}. */
    private static final class Heard implements PodHandler {
        final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public void changed(Pod pod) {
            all.add("+" + pod.getMetadata().getName());
        }

        @Override
        public void deleted(Pod pod) {
            all.add("-" + pod.getMetadata().getName());
        }

        @Override
        public void resync() {}
    }

    private void consistent() {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String name = create(pod(name(), "list"));
            made.add(name);
            try (PodWatch watch = api.watchPods(Map.of("job", "list"), new Heard(), "the pods of the contract")) {
                assertThat(watch.list())
                        .extracting(pod -> pod.getMetadata().getName())
                        .containsExactlyInAnyOrderElementsOf(made);
            }
        }
        made.forEach(name -> api.deletePod(name, Optional.empty(), NOW));
    }

    private void order() {
        Heard heard = new Heard();
        String name = name();
        try (PodWatch watch = api.watchPods(Map.of("job", "order"), heard, "the pods of the contract")) {
            create(pod(name, "order"));
            settle.accept(() -> watch.get(name) != null);
            String first = uid(name);
            assertThat(uid(watch, name)).isEqualTo(first);
            api.deletePod(name, Optional.of(first), NOW);
            settle.accept(() -> heard.all.contains("-" + name));
            assertThat(watch.get(name)).isNull();
            create(pod(name, "order"));
            settle.accept(() -> !uid(watch, name).isEmpty()
                    && !uid(watch, name).equals(first)
                    && heard.all.lastIndexOf("+" + name) > heard.all.indexOf("-" + name));
        }
        assertThat(heard.all.get(0)).isEqualTo("+" + name);
        assertThat(heard.all.subList(heard.all.indexOf("-" + name), heard.all.size()))
                .startsWith("-" + name, "+" + name)
                .containsOnlyOnce("-" + name);
        api.deletePod(name, Optional.empty(), NOW);
    }

    private void labels() {
        Heard heard = new Heard();
        try (PodWatch watch = api.watchPods(Map.of("job", "mine"), heard, "the pods of the contract")) {
            String other = create(pod(name(), "yours"));
            String mine = create(pod(name(), "mine"));
            // A pod is known before the handler is notified of it.
            settle.accept(() -> watch.get(mine) != null && heard.all.contains("+" + mine));
            assertThat(heard.all).doesNotContain("+" + other);
            api.deletePod(other, Optional.empty(), NOW);
            api.deletePod(mine, Optional.empty(), NOW);
        }
    }

    private ConfigMap record(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(api.namespace())
                .addToLabels("job", "record")
                .endMetadata()
                .addToData("phase", "PENDING")
                .addToBinaryData("state", "AAAA")
                .build();
    }

    private static ConfigMap in(ConfigMap map, String phase) {
        return map.edit().addToData("phase", phase).build();
    }

    private void versions() {
        String name = name();
        assertThat(api.configMap(name)).isEmpty();
        ConfigMap first = api.createConfigMap(record(name));
        refused(409, "AlreadyExists", () -> api.createConfigMap(record(name)));
        ConfigMap second = api.replaceConfigMap(in(first, "RUNNING"));
        assertThat(second.getMetadata().getResourceVersion())
                .isNotEqualTo(first.getMetadata().getResourceVersion());
        refused(409, "Conflict", () -> api.replaceConfigMap(in(first, "FAILED")));
        ConfigMap now = api.configMap(name).orElseThrow();
        assertThat(now.getData()).containsEntry("phase", "RUNNING");
        assertThat(now.getMetadata().getResourceVersion())
                .isEqualTo(second.getMetadata().getResourceVersion());
        api.deleteConfigMap(now);
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> api.replaceConfigMap(in(now, "FAILED")))
                .satisfies(e -> assertThat(e.getCode()).isIn(404, 409));
    }

    private void sameVersion() {
        ConfigMap first = api.createConfigMap(record(name()));
        assertThat(api.replaceConfigMap(first).getMetadata().getResourceVersion())
                .isEqualTo(first.getMetadata().getResourceVersion());
        api.deleteConfigMap(first);
    }

    private void deleted() {
        ConfigMap first = api.createConfigMap(record(name()));
        ConfigMap second = api.replaceConfigMap(in(first, "RUNNING"));
        refused(409, "Conflict", () -> api.deleteConfigMap(first));
        api.deleteConfigMap(second);
        assertThat(api.configMap(second.getMetadata().getName())).isEmpty();
        api.deleteConfigMap(second);
    }

    private void owned() {
        ConfigMap owner = api.createConfigMap(record(name()));
        String name = create(pod(name(), "owned")
                .edit()
                .editMetadata()
                .addToOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("ConfigMap")
                        .withName(owner.getMetadata().getName())
                        .withUid(owner.getMetadata().getUid())
                        .build())
                .endMetadata()
                .build());
        api.deleteConfigMap(owner);
        settle.accept(() -> api.pod(name).isEmpty());
    }
}
