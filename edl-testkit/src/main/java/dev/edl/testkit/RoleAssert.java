package dev.edl.testkit;

import dev.edl.ElasticBounds;
import dev.edl.Priority;
import dev.edl.Resources;
import dev.edl.RestartPolicy;
import dev.edl.RoleType;
import dev.edl.Volume;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Assertions on a role: of a job, with the job's defaults beneath the role's own settings; or of a plan, with every
 * default resolved.
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

    /** The assertion that stands for a role that is not there. */
    static RoleAssert none(String owner) {
        return new RoleAssert(
                owner,
                RoleSpec.builder()
                        .type(RoleType.WORKER)
                        .replicas(1)
                        .template(RoleTemplate.empty())
                        .build());
    }

    /** The number of replicas at the start. */
    public RoleAssert hasReplicas(int replicas) {
        return same("replicas", replicas, actual.replicas());
    }

    /** The numbers between which the role may be scaled. */
    public RoleAssert isElastic(int min, int max) {
        ElasticBounds expected = new ElasticBounds(min, max);
        if (actual.elastic().isEmpty()) {
            return refuse("expected elastic bounds " + expected + ", but it is not elastic: it has " + actual.replicas()
                    + " replicas throughout");
        }
        return same("elastic bounds", expected, actual.elastic().get());
    }

    /** The role may not be scaled. */
    public RoleAssert isNotElastic() {
        return absent("elastic bounds", actual.elastic());
    }

    /** The container image. */
    public RoleAssert hasImage(String image) {
        return present("image", image, template().image());
    }

    /** The entry point, all words of it. */
    public RoleAssert hasCommand(String... words) {
        return same("command", listed(words), template().command());
    }

    /** The arguments, all of them. */
    public RoleAssert hasArgs(String... words) {
        return same("args", listed(words), template().args());
    }

    /** An environment variable that the job sets; those of the framework are on the replica. */
    public RoleAssert hasEnv(String name, String value) {
        return variable(template().env(), name, value);
    }

    /** An environment variable that the job does not set. */
    public RoleAssert doesNotHaveEnv(String name) {
        return noVariable(template().env(), name);
    }

    /**
     * All that is asked for.
     *
     * @param resources ElasticDL's grammar; equal amounts are equal, however written: {@code cpu=0.5,memory=2048Mi}
     * @throws IllegalArgumentException for a text outside the grammar
     */
    public RoleAssert hasRequests(String resources) {
        return same(
                "requests", Resources.parse(resources), template().requests().orElse(Resources.of()));
    }

    /** Nothing is asked for. */
    public RoleAssert hasNoRequests() {
        return same("requests", Resources.of(), template().requests().orElse(Resources.of()));
    }

    /**
     * An amount that is asked for, whatever else is.
     *
     * @param name {@code cpu}, {@code memory}, {@code gpu} (NVIDIA's), {@code amd.com/gpu}
     * @param amount equal amounts are equal, however written: {@code 0.5} and {@code 500m}
     * @throws IllegalArgumentException for a resource or an amount that is none
     */
    public RoleAssert hasRequest(String name, String amount) {
        return amount("request", name, amount, template().requests().orElse(Resources.of()));
    }

    /**
     * All limits: a resource without one of its own is limited to what is asked for.
     *
     * @param resources ElasticDL's grammar
     * @throws IllegalArgumentException for a text outside the grammar
     */
    public RoleAssert hasLimits(String resources) {
        return same("limits", Resources.parse(resources), template().effectiveLimits());
    }

    /**
     * One limit, whatever else is limited: its own or, without one, what is asked for.
     *
     * @param name as in {@link #hasRequest}
     * @param amount as in {@link #hasRequest}
     * @throws IllegalArgumentException for a resource or an amount that is none
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
     * The priority.
     *
     * @param priority a class or, for workers, a fraction: {@code low}, {@code 0.5} or {@code high=0.5}
     * @throws IllegalArgumentException for a text outside the grammar
     */
    public RoleAssert hasPriority(String priority) {
        return hasPriority(Priority.parse(priority));
    }

    /** The priority. */
    public RoleAssert hasPriority(Priority priority) {
        return present("priority", priority, template().priority());
    }

    /** No priority was asked for. */
    public RoleAssert hasNoPriority() {
        return absent("priority", template().priority());
    }

    /**
     * Volumes, whatever others there are.
     *
     * @param volumes ElasticDL's grammar, see {@link Volume#parse}
     * @throws IllegalArgumentException for a text outside the grammar
     */
    public RoleAssert hasVolume(String volumes) {
        Volume.parse(volumes).forEach(this::hasVolume);
        return this;
    }

    /** A volume, whatever others there are. */
    public RoleAssert hasVolume(Volume volume) {
        List<Volume> all = template().volumes();
        return all.contains(volume) ? this : refuse("expected volume " + volume + ", volumes are " + shown(all));
    }

    /** No volume at all. */
    public RoleAssert hasNoVolumes() {
        return same("volumes", List.of(), template().volumes());
    }

    /** The port that its replicas listen on. */
    public RoleAssert hasPort(int port) {
        return present("port", port, boxed(template().port()));
    }

    /** Whether an ended replica is relaunched. */
    public RoleAssert hasRestart(RestartPolicy policy) {
        return present("restart policy", policy, template().restart());
    }

    /** How many relaunches one lineage of replicas may spend. */
    public RoleAssert hasRelaunchLimit(int relaunches) {
        return present("relaunch limit", relaunches, boxed(template().relaunchLimit()));
    }

    /** Codes that relaunch without spending the relaunch limit, all of them, in any order. */
    public RoleAssert hasFreeExitCodes(Integer... codes) {
        return present(
                "free exit codes",
                sorted(List.of(codes)),
                template().exitCodes().map(p -> sorted(p.free())));
    }

    /** Codes that fail the job, all of them, in any order. */
    public RoleAssert hasFatalExitCodes(Integer... codes) {
        return present(
                "fatal exit codes",
                sorted(List.of(codes)),
                template().exitCodes().map(p -> sorted(p.fatal())));
    }

    /** Codes that relaunch after a growing delay without spending the relaunch limit, all of them, in any order. */
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
