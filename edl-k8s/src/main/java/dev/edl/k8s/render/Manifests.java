package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.ManifestYaml;
import dev.edl.k8s.render.internal.ObjectLimits;
import dev.edl.k8s.render.internal.profiles.ProfileRenderer;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Every Kubernetes object of a plan, in an order in which they can be applied; a pure function of the plan.
 *
 * <pre>{@code
 * Manifests manifests = Manifests.of(job.plan());
 * Files.writeString(Path.of("job.yaml"), manifests.toYaml());   // kubectl apply -f job.yaml
 * manifests.objects(Service.class);
 * }</pre>
 *
 * <p>Immutable; safe for use by several threads, and each call gives objects of its own, which the caller may change.
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

    /** The objects of a plan, with nothing said beside it. */
    public static Manifests of(JobPlan plan) {
        return of(plan, PodOptions.none());
    }

    /**
     * The objects of a plan, its replicas as the plan's profile has them: as {@link Workload#INDEXED_JOBS} under ElasticDL's,
     * as {@link Workload#JOBS} under TfJob's and MxJob's, as {@link Workload#PODS} under Kubeflow's and the et-operator's.
     *
     * @throws RenderException with every mistake of the options, one a line
     */
    public static Manifests of(JobPlan plan, PodOptions options) {
        return of(
                plan,
                options,
                ProfileRenderer.of(Objects.requireNonNull(plan, "plan"), Objects.requireNonNull(options, "options"))
                        .workload());
    }

    /**
     * The objects of a plan, its replicas as asked for.
     *
     * @throws RenderException with every mistake of the options, one a line; or when a launcher reaches its workers by the
     *     names of their pods, and they are asked for as Jobs
     */
    public static Manifests of(JobPlan plan, PodOptions options, Workload workload) {
        OptionRules.check(Objects.requireNonNull(plan, "plan"), Objects.requireNonNull(options, "options"));
        if (ProfileRenderer.of(plan, options).needsPodNames()
                && Objects.requireNonNull(workload, "workload") != Workload.PODS) {
            throw new RenderException("job \"" + plan.name()
                    + "\": the launcher reaches its workers by the names of their" + " pods, which the pods of "
                    + workload + " have not; leave the workload out, or say Workload.PODS");
        }
        return new Manifests(plan, options, Objects.requireNonNull(workload, "workload"));
    }

    /**
     * Every object, what others need before those that need it.
     *
     * @throws RenderException when Kubernetes would not take one of them; when more than 1,000 replicas of a role would become
     *     Jobs that were not asked for; or when the plan is reached at addresses that are not its profile's
     *     ({@link JobPlan#reachedBy})
     */
    public List<HasMetadata> objects() {
        return checked(new ManifestComposer(plan, options, workload).objects());
    }

    /**
     * Every object but those that run the replicas, in the order of {@link #objects()}: what a program
     * that makes the pods one by one makes before them.
     *
     * @throws RenderException when Kubernetes would not take one of them
     */
    public List<HasMetadata> supportingObjects() {
        return checked(new ManifestComposer(plan, options, workload).besideReplicas());
    }

    /**
     * Renders the objects and keeps none. Replicas of a role differ by little, so of a large one only the first 100 are rendered,
     * and the last.
     *
     * @throws RenderException as {@link #objects()}
     */
    public void check() {
        checked(new ManifestComposer(plan, options, workload).some());
    }

    private List<HasMetadata> checked(List<HasMetadata> objects) {
        options.owner().ifPresent(owner -> objects.forEach(owner::own));
        objects.forEach(object -> ObjectLimits.check(plan, object));
        return objects;
    }

    /**
     * The objects of one type, in the order of {@link #objects()}.
     *
     * @throws RenderException when Kubernetes would not take one of the objects
     */
    public <T extends HasMetadata> List<T> objects(Class<T> type) {
        return objects().stream().filter(type::isInstance).map(type::cast).toList();
    }

    /**
     * Every object as a YAML document, in order: what {@code kubectl apply -f} takes. The same bytes each time.
     *
     * @throws RenderException when Kubernetes would not take one of the objects
     */
    public String toYaml() {
        return ManifestYaml.of(objects());
    }

    /** The objects, one a line: {@code Service default/elasticdl-test-mnist-ps-0}; or why there are none. */
    @Override
    public String toString() {
        try {
            return lines();
        } catch (RenderException e) {
            // A debugger or JShell shows nothing of a value whose text cannot be made.
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
