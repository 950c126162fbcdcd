package dev.edl.testkit;

import dev.edl.spec.ElasticBounds;
import dev.edl.spec.Priority;
import dev.edl.spec.Resources;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.Volume;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Assertions on a role of a job, with the job's defaults for its unset values, or on a role of a plan, with all
 * defaults.
 */
public final class RoleAssert extends EdlAssert<RoleAssert, RoleSpec> {
    private final String owner;

    RoleAssert(String owner, RoleSpec actual) {
        super(actual, RoleAssert.class);
        this.owner = owner;
    }

    @Override
    protected String subject() {
        return owner + ", role " + actual.type();
    }

    private RoleTemplate template() {
        return actual.template();
    }

    /** Returns the placeholder assertion for a missing role. */
    static RoleAssert none(String owner) {
        return new RoleAssert(
                owner,
                RoleSpec.builder()
                        .type(RoleType.WORKER)
                        .replicas(1)
                        .template(RoleTemplate.empty())
                        .build());
    }

    /** Verifies the number of replicas at the start. */
    public RoleAssert hasReplicas(int replicas) {
        return same("replicas", replicas, actual.replicas());
    }

    /** Verifies that the role is elastic, with these least and greatest numbers of replicas. */
    public RoleAssert isElastic(int min, int max) {
        ElasticBounds expected = new ElasticBounds(min, max);
        if (actual.elastic().isEmpty()) {
            return refuse("expected elastic bounds " + expected + ", but it is not elastic: it has " + actual.replicas()
                    + " replicas throughout");
        }
        return same("elastic bounds", expected, actual.elastic().get());
    }

    /** Verifies that the role is not elastic. */
    public RoleAssert isNotElastic() {
        return absent("elastic bounds", actual.elastic());
    }

    /** Verifies the container image. */
    public RoleAssert hasImage(String image) {
        return present("image", image, template().image());
    }

    /** Verifies all words of the entry point. */
    public RoleAssert hasCommand(String... words) {
        return same("command", listed(words), template().command());
    }

    /** Verifies all arguments. */
    public RoleAssert hasArgs(String... words) {
        return same("args", listed(words), template().args());
    }

    /**
     * Verifies an environment variable that the job sets; {@link ReplicaAssert#hasEnv} also verifies the framework's.
     */
    public RoleAssert hasEnv(String name, String value) {
        return variable(template().env(), name, value);
    }

    /** Verifies that the job does not set an environment variable. */
    public RoleAssert doesNotHaveEnv(String name) {
        return noVariable(template().env(), name);
    }

    /**
     * Verifies all resource requests.
     *
     * @param resources the requests in ElasticDL's grammar, such as {@code cpu=0.5,memory=2048Mi}; {@code 0.5} and
     *     {@code 500m} are equal
     * @throws IllegalArgumentException for a text outside the grammar
     */
    public RoleAssert hasRequests(String resources) {
        return same(
                "requests", Resources.parse(resources), template().requests().orElse(Resources.of()));
    }

    /** Verifies that the role requests nothing. */
    public RoleAssert hasNoRequests() {
        return same("requests", Resources.of(), template().requests().orElse(Resources.of()));
    }

    /**
     * Verifies the request of one resource; ignores other resources.
     *
     * @param name name of the resource, such as {@code cpu}, {@code memory}, {@code gpu} (NVIDIA's) or
     *     {@code amd.com/gpu}
     * @param amount the amount in any notation: {@code 0.5} and {@code 500m} are equal
     * @throws IllegalArgumentException for an invalid resource or amount
     */
    public RoleAssert hasRequest(String name, String amount) {
        return amount("request", name, amount, template().requests().orElse(Resources.of()));
    }

    /**
     * Verifies all limits; a resource without an explicit limit is limited to its request.
     *
     * @param resources the limits in ElasticDL's grammar, as in {@link #hasRequests}
     * @throws IllegalArgumentException for a text outside the grammar
     */
    public RoleAssert hasLimits(String resources) {
        return same("limits", Resources.parse(resources), template().effectiveLimits());
    }

    /**
     * Verifies the limit of one resource, explicit or equal to its request; ignores other resources.
     *
     * @param name as in {@link #hasRequest}
     * @param amount as in {@link #hasRequest}
     * @throws IllegalArgumentException for an invalid resource or amount
     */
    public RoleAssert hasLimit(String name, String amount) {
        return amount("limit", name, amount, template().effectiveLimits());
    }

    private RoleAssert amount(String what, String name, String amount, Resources all) {
        Map.Entry<String, String> expected = Resources.parse(name + "=" + amount).amounts().entrySet().stream()
                .findFirst()
                .orElseThrow();
        return entry(what, all.amounts(), expected.getKey(), expected.getValue());
    }

    /**
     * Verifies the priority.
     *
     * @param priority a PriorityClass or, for workers, the fraction of workers that have {@code high}: {@code low},
     *     {@code 0.5} or {@code high=0.5}
     * @throws IllegalArgumentException for a text outside the grammar
     */
    public RoleAssert hasPriority(String priority) {
        return hasPriority(Priority.parse(priority));
    }

    /** Verifies the priority. */
    public RoleAssert hasPriority(Priority priority) {
        return present("priority", priority, template().priority());
    }

    /** Verifies that the role sets no priority. */
    public RoleAssert hasNoPriority() {
        return absent("priority", template().priority());
    }

    /**
     * Verifies that the role has volumes; ignores its other volumes.
     *
     * @param volumes one or more volumes in ElasticDL's grammar, see {@link Volume#parse}
     * @throws IllegalArgumentException for a text outside the grammar
     */
    public RoleAssert hasVolume(String volumes) {
        Volume.parse(volumes).forEach(this::hasVolume);
        return this;
    }

    /** Verifies that the role has a volume; ignores its other volumes. */
    public RoleAssert hasVolume(Volume volume) {
        List<Volume> all = template().volumes();
        return all.contains(volume) ? this : refuse("expected volume " + volume + ", volumes are " + shown(all));
    }

    /** Verifies that the role has no volume. */
    public RoleAssert hasNoVolumes() {
        return same("volumes", List.of(), template().volumes());
    }

    /** Verifies the port that its replicas listen on. */
    public RoleAssert hasPort(int port) {
        return present("port", port, boxed(template().port()));
    }

    /** Verifies the policy for whether an ended replica is relaunched. */
    public RoleAssert hasRestart(RestartPolicy policy) {
        return present("restart policy", policy, template().restart());
    }

    /** Verifies how many relaunches a replica and its successors may spend. */
    public RoleAssert hasRelaunchLimit(int relaunches) {
        return present("relaunch limit", relaunches, boxed(template().relaunchLimit()));
    }

    /**
     * Verifies all exit codes after which a replica is relaunched without spending the relaunch limit, in any order.
     */
    public RoleAssert hasFreeExitCodes(Integer... codes) {
        return present(
                "free exit codes",
                sorted(List.of(codes)),
                template().exitCodes().map(p -> sorted(p.free())));
    }

    /** Verifies all exit codes of a replica that fail the job, in any order. */
    public RoleAssert hasFatalExitCodes(Integer... codes) {
        return present(
                "fatal exit codes",
                sorted(List.of(codes)),
                template().exitCodes().map(p -> sorted(p.fatal())));
    }

    /**
     * Verifies all exit codes after which a replica is relaunched with a growing delay, without spending the relaunch
     * limit; in any order.
     */
    public RoleAssert hasTemporaryExitCodes(Integer... codes) {
        return present(
                "temporary exit codes",
                sorted(List.of(codes)),
                template().exitCodes().map(p -> sorted(p.temporary())));
    }

    private static List<Integer> sorted(Collection<Integer> codes) {
        return codes.stream().sorted().toList();
    }

    private static Optional<Integer> boxed(OptionalInt number) {
        return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
    }
}
