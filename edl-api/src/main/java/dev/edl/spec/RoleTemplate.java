package dev.edl.spec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.immutables.value.Value;

/**
 * Settings of a role's replicas: a role's own, or the job's defaults. Each is optional; a getter returns an empty value
 * for a setting that was not made.
 *
 * <p>{@link #over} merges a role's own settings over the job's defaults. Single values replace the default, environment
 * variables and resources are merged by name, volumes accumulate.
 */
@ImmutablesStyle
@Value.Immutable
public interface RoleTemplate {
    /** Returns a template without settings. */
    static RoleTemplate empty() {
        return builder().build();
    }

    /** Creates a builder without settings. */
    static Builder builder() {
        return new Builder();
    }

    /** Returns the container image. */
    Optional<String> image();

    /** Returns the entry point; empty for that of the image. */
    List<String> command();

    /** Returns the arguments of the entry point. */
    List<String> args();

    /**
     * Returns the environment variables in the order in which they were set. {@code toString} omits them, as a value
     * may be a secret.
     */
    @Value.Redacted
    Map<String, String> env();

    /**
     * Returns the environment variables whose values are in Secrets, in the order in which they were set; disjoint from
     * {@link #env}.
     */
    Map<String, SecretRef> secretEnv();

    /** Returns the requested resources. */
    Optional<Resources> requests();

    /** Returns the explicit resource limits; see {@link #effectiveLimits}. */
    Optional<Resources> limits();

    /** Returns the priority class. */
    Optional<Priority> priority();

    /** Returns the volumes. */
    List<Volume> volumes();

    /** Returns the port that the role listens on, 1 to 65535. */
    OptionalInt port();

    /** Returns the policy for relaunching an ended replica. */
    Optional<RestartPolicy> restart();

    /** Returns the effect of a replica's exit code on its relaunch. */
    Optional<ExitCodePolicy> exitCodes();

    /** Returns how many relaunches a replica and its successors may spend, at least 0. */
    OptionalInt relaunchLimit();

    /**
     * Returns the limit of each resource: the explicit limit or, without one, the request (ElasticDL's rule). A cpu,
     * memory or storage request of 0 sets no limit.
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

    /** Returns the settings of {@code base}, replaced or extended by this template's settings. */
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

    /** Builder of a template. */
    final class Builder extends ImmutableRoleTemplate.Builder {
        Builder() {}
    }
}
