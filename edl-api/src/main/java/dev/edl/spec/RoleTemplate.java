package dev.edl.spec;

import dev.edl.ExitCodePolicy;
import dev.edl.Priority;
import dev.edl.Resources;
import dev.edl.RestartPolicy;
import dev.edl.SecretRef;
import dev.edl.Volume;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.immutables.value.Value;

/**
 * What can be said of a role's replicas, each part optional: as the default of a job, or as a role's own.
 *
 * <p>{@link #over} lays a role's own part over the job's default: single values replace, environment variables and
 * resources replace by name, volumes add up.
 */
@EdlStyle
@Value.Immutable
public interface RoleTemplate {
    /** A template that says nothing. */
    static RoleTemplate empty() {
        return builder().build();
    }

    /** Starts a template that says nothing. */
    static Builder builder() {
        return new Builder();
    }

    /** Container image. */
    Optional<String> image();

    /** Entry point, instead of the image's; empty: the image's. */
    List<String> command();

    /** Arguments of the entry point. */
    List<String> args();

    /** Environment variables, in the order given; left out of {@code toString}, as a value may be a secret. */
    @Value.Redacted
    Map<String, String> env();

    /** Environment variables whose values are in Secrets, in the order given; none of them is in {@link #env}. */
    Map<String, SecretRef> secretEnv();

    /** What is asked for. */
    Optional<Resources> requests();

    /** What may be used at most; see {@link #effectiveLimits}. */
    Optional<Resources> limits();

    /** Priority class. */
    Optional<Priority> priority();

    /** Mounts. */
    List<Volume> volumes();

    /** The port that the role listens on, 1 to 65535. */
    OptionalInt port();

    /** Whether an ended replica is relaunched. */
    Optional<RestartPolicy> restart();

    /** What exit codes mean. */
    Optional<ExitCodePolicy> exitCodes();

    /** Relaunches that one lineage of replicas may spend, at least 0. */
    OptionalInt relaunchLimit();

    /**
     * What may be used at most: the limits and, for a resource without one, what is asked for (ElasticDL's rule). Where no cpu,
     * memory or storage is asked for with an amount of 0, there is no limit.
     */
    @Value.Lazy
    default Resources effectiveLimits() {
        Resources requests = requests().orElse(Resources.of());
        Map<String, String> limits = new LinkedHashMap<>(requests.amounts());
        limits.keySet()
                .removeIf(name -> !name.contains("/") && requests.value(name).signum() == 0);
        limits.putAll(limits().orElse(Resources.of()).amounts());
        return new Resources(limits);
    }

    /** This template laid over a default. */
    default RoleTemplate over(RoleTemplate base) {
        Map<String, String> env = new LinkedHashMap<>(base.env());
        env.keySet().removeAll(secretEnv().keySet());
        env.putAll(env());
        Map<String, SecretRef> secretEnv = new LinkedHashMap<>(base.secretEnv());
        secretEnv.keySet().removeAll(env().keySet());
        secretEnv.putAll(secretEnv());
        List<Volume> volumes = new ArrayList<>(base.volumes());
        volumes.addAll(volumes());
        return builder()
                .image(image().or(base::image))
                .command(command().isEmpty() ? base.command() : command())
                .args(args().isEmpty() ? base.args() : args())
                .env(env)
                .secretEnv(secretEnv)
                .requests(laidOver(requests(), base.requests()))
                .limits(laidOver(limits(), base.limits()))
                .priority(priority().or(base::priority))
                .volumes(volumes)
                .port(port().isPresent() ? port() : base.port())
                .restart(restart().or(base::restart))
                .exitCodes(exitCodes().or(base::exitCodes))
                .relaunchLimit(relaunchLimit().isPresent() ? relaunchLimit() : base.relaunchLimit())
                .build();
    }

    private static Optional<Resources> laidOver(Optional<Resources> own, Optional<Resources> base) {
        return own.map(resources -> resources.over(base.orElse(Resources.of()))).or(() -> base);
    }

    /** Collects the parts. */
    final class Builder extends ImmutableRoleTemplate.Builder {
        Builder() {}
    }
}
