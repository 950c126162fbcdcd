package dev.edl.testkit.k8s;

import dev.edl.k8s.render.Manifests;
import dev.edl.testkit.EdlAssert;
import dev.edl.testkit.Golden;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.assertj.core.api.AssertionErrorCollector;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on all Kubernetes objects of a plan: their kinds and names, their pods, and the permissions that they
 * grant.
 */
public final class ManifestsAssert extends EdlAssert<ManifestsAssert, Manifests> {
    private @Nullable List<HasMetadata> composed;

    ManifestsAssert(@Nullable Manifests actual) {
        super(actual, ManifestsAssert.class);
    }

    ManifestsAssert soft(AssertionErrorCollector collector) {
        return collectedBy(collector);
    }

    @Override
    protected String subject() {
        return objects().stream()
                .map(HasMetadata::getMetadata)
                .map(ObjectMeta::getLabels)
                .filter(Objects::nonNull)
                .flatMap(labels -> PodDescription.job(labels).stream())
                .findFirst()
                .map(job -> "manifests of " + job)
                .orElse("manifests");
    }

    private List<HasMetadata> objects() {
        isNotNull();
        if (composed == null) {
            composed = actual.objects(); // created anew by each call, for thousands of pods
        }
        return composed;
    }

    /**
     * Verifies kind, namespace and name of all objects, in the order in which they are applied and in the form of
     * {@link Manifests#toString}: {@code Service ml/mnist-ps-0}.
     */
    public ManifestsAssert hasObjects(String... objects) {
        isNotNull();
        return same("objects", List.of(objects), actual.toString().lines().toList());
    }

    /**
     * Verifies that an object with this kind and name exists; ignores others: {@code has("Service", "mnist-ps-0")}.
     */
    public ManifestsAssert has(String kind, String name) {
        return found(kind, name).map(object -> this).orElse(this);
    }

    /** Verifies the number of objects of a kind. */
    public ManifestsAssert hasCount(String kind, int objects) {
        return same("number of " + kind + " objects", objects, names(kind).size());
    }

    /** Verifies that there is no object of a kind. */
    public ManifestsAssert doesNotHave(String kind) {
        List<String> names = names(kind);
        return names.isEmpty() ? this : refuse("expected no " + kind + ", was " + shown(names));
    }

    /** Passes an object to further assertions: {@code object(Service.class, "mnist-ps-0", service -> …)}. */
    public <T extends HasMetadata> ManifestsAssert object(Class<T> type, String name, Consumer<T> assertions) {
        found(HasMetadata.getKind(type), name).ifPresent(object -> given(type.cast(object), assertions));
        return this;
    }

    private List<String> names(String kind) {
        return objects().stream()
                .filter(object -> object.getKind().equals(kind))
                .map(object -> object.getMetadata().getName())
                .toList();
    }

    private Optional<HasMetadata> found(String kind, String name) {
        List<HasMetadata> found = objects().stream()
                .filter(object -> object.getKind().equals(kind)
                        && name.equals(object.getMetadata().getName()))
                .toList();
        if (found.size() == 1) {
            return Optional.of(found.get(0));
        }
        List<String> names = names(kind);
        if (names.isEmpty()) {
            TreeSet<String> kinds = new TreeSet<>();
            objects().forEach(object -> kinds.add(object.getKind()));
            refuse("expected a " + kind + " \"" + name + "\", but there is no " + kind + suggestion(kind, kinds));
        } else if (found.isEmpty()) {
            refuse("expected a " + kind + " \"" + name + "\"" + suggestion(name, names));
        } else {
            refuse("expected one " + kind + " \"" + name + "\", but there are " + found.size());
        }
        return Optional.empty();
    }

    /** Runs assertions on every pod, and on the pod template of every Job, Deployment and StatefulSet. */
    public ManifestsAssert eachPod(Consumer<PodAssert> assertions) {
        for (HasMetadata object : objects()) {
            WorkloadPodTemplate.template(object).ifPresent(pod -> given(next(new PodAssert(pod)), assertions));
        }
        return this;
    }

    /**
     * Verifies that the job's Roles grant no permissions except these; without arguments, none at all.
     *
     * @param grants permissions, each a verb and a resource, with the resource's API group if it has one:
     *     {@code "get pods"}, {@code "create jobs.batch"}
     */
    public ManifestsAssert grantsAtMost(String... grants) {
        List<String> allowed = List.of(grants);
        List<String> more = RoleGrants.of(objects()).stream()
                .filter(g -> !allowed.contains(g))
                .toList();
        return more.isEmpty()
                ? this
                : refuse("expected to grant " + (allowed.isEmpty() ? "nothing" : "at most " + shown(allowed))
                        + ", grants " + (allowed.isEmpty() ? "" : "also ") + shown(more));
    }

    /**
     * Verifies that the job's Roles grant a permission; ignores other permissions.
     *
     * @param grant a verb and a resource, as in {@link #grantsAtMost}
     */
    public ManifestsAssert grants(String grant) {
        List<String> all = RoleGrants.of(objects());
        return all.contains(grant) ? this : refuse("expected to grant \"" + grant + "\"" + suggestion(grant, all));
    }

    /** Verifies that the objects' YAML equals the golden file of the running test; see {@link Golden#ofTest}. */
    public ManifestsAssert matchesGolden() {
        return matches(Golden.ofTest());
    }

    /**
     * Verifies that the objects' YAML equals a golden file below {@code src/test/resources}, such as
     * {@code "manifests/mnist.yaml"}; see {@link Golden#named}.
     */
    public ManifestsAssert matchesGolden(String name) {
        return matches(Golden.named(name));
    }

    /** Verifies that the objects' YAML equals a golden file at any path; see {@link Golden#at}. */
    public ManifestsAssert matchesGolden(Path file) {
        return matches(Golden.at(file));
    }

    private ManifestsAssert matches(Golden golden) {
        isNotNull();
        return guarded(() -> {
            noSecrets(PlaintextSecretFinder.in(actual.objects()));
            golden.check(described(), DerivedRunIdMask.hidden(actual.toYaml()));
        });
    }
}
