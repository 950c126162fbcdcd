package dev.edl.testkit;

import dev.edl.env.HorovodElastic;
import dev.edl.spec.ElasticBounds;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Assertions on the elastic arguments of {@code horovodrun}. */
public final class HorovodElasticAssert extends EdlAssert<HorovodElasticAssert, HorovodElastic> {
    private final String owner;

    HorovodElasticAssert(String owner, @Nullable HorovodElastic actual) {
        super(actual, HorovodElasticAssert.class);
        this.owner = owner;
    }

    @Override
    protected String subject() {
        return owner;
    }

    private HorovodElastic elastic() {
        isNotNull();
        return actual;
    }

    /** Verifies the number of processes at the start. */
    public HorovodElasticAssert hasProcesses(int processes) {
        return same("processes", processes, elastic().processes());
    }

    /** Verifies the least and greatest number of processes. */
    public HorovodElasticAssert isElastic(int min, int max) {
        return same("elastic bounds", new ElasticBounds(min, max), elastic().bounds());
    }

    /** Verifies the path of the discovery script. */
    public HorovodElasticAssert hasScript(String path) {
        return same("discovery script", path, elastic().script());
    }

    /** Verifies the number of slots (processes) on a host for which the discovery script prints none. */
    public HorovodElasticAssert hasSlots(int slots) {
        return present("slots of a host", slots, boxed(elastic().slots()));
    }

    /** Verifies how many seconds a restart waits for enough slots. */
    public HorovodElasticAssert hasTimeout(int seconds) {
        return present("timeout in seconds", seconds, boxed(elastic().timeoutSeconds()));
    }

    /** Verifies the number of restarts after which the job fails. */
    public HorovodElasticAssert hasResets(int resets) {
        return present("resets", resets, boxed(elastic().resets()));
    }

    private static Optional<Integer> boxed(OptionalInt number) {
        return number.stream().boxed().findFirst();
    }
}
