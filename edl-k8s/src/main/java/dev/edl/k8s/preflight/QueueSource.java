package dev.edl.k8s.preflight;

import dev.edl.k8s.client.KueueObjects;
import dev.edl.k8s.preflight.internal.LookupResult;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Source of Kueue's objects: a cluster, or a file. */
interface QueueSource {
    /** Returns a queue; a ClusterQueue has no namespace. */
    LookupResult<GenericKubernetesResource> lookUp(String kind, Optional<String> namespace, String name);

    /** Returns the Workloads of a namespace. */
    List<GenericKubernetesResource> workloads(String namespace);

    /** Returns the objects of a cluster, each read when it is asked for. */
    static QueueSource of(CheckContext context) {
        return new OfCluster(context);
    }

    /**
     * Returns the objects of a file.
     *
     * @throws IllegalArgumentException when the text is not YAML of Kubernetes objects
     */
    static QueueSource of(String yaml) {
        try {
            Object read = new KubernetesSerialization().unmarshal(yaml);
            return new OfFile(OfFile.objects(read)
                    .filter(one -> one.getApiVersion().startsWith(QueueCheck.GROUP + "/"))
                    .map(GenericKubernetesResource.class::cast)
                    .toList());
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "queues must be YAML of LocalQueues, ClusterQueues and Workloads of " + QueueCheck.GROUP
                            + "/v1beta2, was \"" + yaml.lines().findFirst().orElse("") + "\": " + e.getMessage(),
                    e);
        }
    }

    /** Objects of a cluster. */
    record OfCluster(CheckContext context) implements QueueSource {
        @Override
        public LookupResult<GenericKubernetesResource> lookUp(String kind, Optional<String> namespace, String name) {
            return lookUp(kind + " \"" + name + "\"", "get", kind, () -> {
                var all = context.client().genericKubernetesResources(KueueObjects.kind(kind));
                return namespace.isPresent()
                        ? all.inNamespace(namespace.get()).withName(name).get()
                        : all.withName(name).get();
            });
        }

        @Override
        public List<GenericKubernetesResource> workloads(String namespace) {
            return lookUp(
                            "Workloads of namespace \"" + namespace + "\"",
                            "list",
                            "Workload",
                            () -> context.client()
                                    .genericKubernetesResources(KueueObjects.kind("Workload"))
                                    .inNamespace(namespace)
                                    .list()
                                    .getItems())
                    .value()
                    .orElse(List.of());
        }

        private <T> LookupResult<T> lookUp(String what, String verb, String kind, Supplier<@Nullable T> ask) {
            return context.lookUp(
                    ProblemTopic.QUEUE,
                    QueueCheck.CONCEPT,
                    what,
                    verb + " " + kind.toLowerCase(Locale.ROOT) + "s." + QueueCheck.GROUP,
                    ask);
        }
    }

    /** Objects of a file. */
    record OfFile(List<GenericKubernetesResource> objects) implements QueueSource {
        @Override
        public LookupResult<GenericKubernetesResource> lookUp(String kind, Optional<String> namespace, String name) {
            return LookupResult.of(of(kind, namespace)
                    .filter(one -> one.getMetadata().getName().equals(name))
                    .findFirst());
        }

        @Override
        public List<GenericKubernetesResource> workloads(String namespace) {
            return of("Workload", Optional.of(namespace)).toList();
        }

        private Stream<GenericKubernetesResource> of(String kind, Optional<String> namespace) {
            return objects.stream()
                    .filter(one -> one.getKind().equals(kind)
                            && namespace
                                    .filter(in -> !in.equals(one.getMetadata().getNamespace()))
                                    .isEmpty());
        }

        /** Returns the objects of a document, of several documents, or of a {@code List} as kubectl prints it. */
        private static Stream<HasMetadata> objects(Object read) {
            if (read instanceof Collection<?> several) {
                return several.stream().flatMap(OfFile::objects);
            }
            return read instanceof KubernetesResourceList<?> list
                    ? list.getItems().stream().map(HasMetadata.class::cast)
                    : Stream.of((HasMetadata) read);
        }
    }
}
