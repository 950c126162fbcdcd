package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.ManifestYaml;
import dev.edl.k8s.render.internal.ObjectLimits;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Immutable list of every Kubernetes object of a plan, in the order in which they can be applied. It is a pure function
 * of the plan and the options.
 *
 * <pre>{@code
 * Manifests manifests = Manifests.of(job.plan());
 * Files.writeString(Path.of("job.yaml"), manifests.toYaml());   // kubectl apply -f job.yaml
 * manifests.objects(Service.class);
 * }</pre>
 *
 * <p>Thread-safe. Each call returns new objects, which the caller may change.
 */
public final class Manifests {
    private final JobPlan plan;
    private final PodOptions options;
    private final Workload workload;

    private Manifests(JobPlan plan, PodOptions options, Workload workload) {
        this.plan = plan;
        this.options = options;
        this.workload = workload;
    }

    /** Returns the objects of a plan without options. */
    public static Manifests of(JobPlan plan) {
        return of(plan, PodOptions.none());
    }

    /**
     * Returns the objects of a plan, with the default workload of its profile:
     *
     * <ul>
     *   <li>{@link Workload#INDEXED_JOBS} under ElasticDL's profile,
     *   <li>{@link Workload#JOBS} under TfJob's and MxJob's profiles,
     *   <li>{@link Workload#PODS} under Kubeflow's and the et-operator's profiles.
     * </ul>
     *
     * @throws RenderException with every mistake of the options, one per line
     */
    public static Manifests of(JobPlan plan, PodOptions options) {
        return of(
                plan, options, Workload.of(Objects.requireNonNull(plan, "plan").profile()));
    }

    /**
     * Returns the objects of a plan, with the given workload.
     *
     * @throws RenderException with every mistake of the options, one per line; or when a launcher addresses its workers
     *     by pod name and the workload is not {@link Workload#PODS}
     */
    public static Manifests of(JobPlan plan, PodOptions options, Workload workload) {
        OptionRules.check(Objects.requireNonNull(plan, "plan"), Objects.requireNonNull(options, "options"));
        if (options.renderer(plan).needsPodNames() && Objects.requireNonNull(workload, "workload") != Workload.PODS) {
            throw new RenderException("job \"" + plan.name()
                    + "\": the launcher addresses its workers by pod name, but pods of " + "workload "
                    + workload + " have generated names; omit the workload, or use Workload.PODS");
        }
        return new Manifests(plan, options, Objects.requireNonNull(workload, "workload"));
    }

    /**
     * Returns every object, sorted so that dependencies come first.
     *
     * @throws RenderException when Kubernetes would reject an object; when more than 1,000 replicas of a role would
     *     become Jobs by default; or when the plan's addresses are not those of its profile ({@link JobPlan#reachedBy})
     */
    public List<HasMetadata> objects() {
        return checked(new ManifestComposer(plan, options, workload).objects());
    }

    /**
     * Returns every object except the replicas' pods or Jobs, in the order of {@link #objects()}. A program that
     * creates the pods one by one creates these first.
     *
     * @throws RenderException when Kubernetes would reject an object
     */
    public List<HasMetadata> supportingObjects() {
        return checked(new ManifestComposer(plan, options, workload).besideReplicas());
    }

    /**
     * Renders and checks the objects without keeping them. Replicas of a role differ little, so of a large role only
     * the first 100 and the last are rendered.
     *
     * @throws RenderException when {@link #objects()} would throw it for one of these objects
     */
    public void check() {
        checked(new ManifestComposer(plan, options, workload).some());
    }

    private List<HasMetadata> checked(List<HasMetadata> objects) {
        options.owner().ifPresent(owner -> objects.forEach(owner::own));
        objects.forEach(object -> ObjectLimits.excess(object).ifPresent(excess -> {
            throw new RenderException("job \"" + plan.name() + "\": " + excess);
        }));
        return objects;
    }

    /**
     * Returns the objects of one type, in the order of {@link #objects()}.
     *
     * @throws RenderException when Kubernetes would reject an object
     */
    public <T extends HasMetadata> List<T> objects(Class<T> type) {
        return objects().stream().filter(type::isInstance).map(type::cast).toList();
    }

    /**
     * Returns every object as a YAML document, in order, for {@code kubectl apply -f}. The bytes are the same each
     * time.
     *
     * @throws RenderException when Kubernetes would reject an object
     */
    public String toYaml() {
        return ManifestYaml.of(objects());
    }

    /** Returns one line per object, {@code Service default/elasticdl-test-mnist-ps-0}; or why there are none. */
    @Override
    public String toString() {
        try {
            return lines();
        } catch (RenderException e) {
            // Debuggers and JShell show nothing of a value whose toString throws.
            return "no objects: " + e.getMessage();
        }
    }

    private String lines() {
        return objects().stream().map(Manifests::line).collect(Collectors.joining("\n"));
    }

    private static String line(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return object.getKind() + " " + (namespace == null ? "" : namespace + "/")
                + object.getMetadata().getName();
    }
}
