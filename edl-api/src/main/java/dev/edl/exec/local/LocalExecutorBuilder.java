package dev.edl.exec.local;

import dev.edl.RoleType;
import dev.edl.exec.LogLine;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How a {@link LocalExecutor} runs its jobs; every part has a default. Not thread-safe. */
public final class LocalExecutorBuilder {
    final HostEnvironment host;
    final List<Consumer<LogLine>> readers = new ArrayList<>();
    final Set<LocalPlanCheck.ClusterOnlyFeature> ignored = EnumSet.noneOf(LocalPlanCheck.ClusterOnlyFeature.class);
    final Map<String, String> environment = new TreeMap<>();

    @Nullable
    Path logs;

    @Nullable
    Path directory;

    private @Nullable Path secrets;

    final Map<RoleType, Path> directories = new EnumMap<>(RoleType.class);

    Duration grace = Duration.ofSeconds(10);
    int firstPort = 20_000;
    int lastPort = 32_000;

    LocalExecutorBuilder(HostEnvironment host) {
        this.host = host;
        environment.put("PATH", host.path());
        inherit("HOME");
    }

    /** Prints every line of every replica with the replica in front, {@code [worker-0] step 100}. The default prints none. */
    public LocalExecutorBuilder logsTo(PrintStream out) {
        Objects.requireNonNull(out, "out");
        return logsTo(line -> out.println(line));
    }

    /**
     * Hands every line of every replica to a reader, in the order in which the replica wrote them; lines of several replicas
     * come on several threads at once. A replica stands still while its reader is busy and its pipe is full. A reader that
     * throws is not called again.
     */
    public LocalExecutorBuilder logsTo(Consumer<LogLine> reader) {
        readers.add(Objects.requireNonNull(reader, "reader"));
        return this;
    }

    /**
     * Keeps what each replica writes, byte for byte, in {@code <directory>/<replica>.log}; a replica that is started again
     * under the same name writes to {@code <replica>.2.log}, and so on: no file is written over. The default keeps none.
     *
     * @param directory made when a replica starts, if it is not there
     */
    public LocalExecutorBuilder logsIn(Path directory) {
        this.logs = Objects.requireNonNull(directory, "directory");
        return this;
    }

    /**
     * How long a replica that is to go has between signal TERM and signal KILL; the default is 10 seconds.
     *
     * @param period 0 to a day
     */
    public LocalExecutorBuilder grace(Duration period) {
        if (period.isNegative() || period.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(
                    "grace must be from 0 to 1 day, for example Duration.ofSeconds(10); was " + period);
        }
        this.grace = period;
        return this;
    }

    /**
     * Passes variables of this JVM on to the replicas, where they are set; a variable of the job's own replaces one of the
     * same name. By default a replica gets PATH and HOME, and what the plan says.
     *
     * @param names without values, {@code CUDA_VISIBLE_DEVICES}
     */
    public LocalExecutorBuilder inherit(String... names) {
        for (String name : names) {
            if (name.isBlank() || name.contains("=")) {
                throw new IllegalArgumentException("inherit takes the name of a variable, for example"
                        + " .inherit(\"CUDA_VISIBLE_DEVICES\"); was \"" + name
                        + "\"; to set a value, use the job's env, for example .env(\"A\", \"1\")");
            }
            String value = host.environment().get(name);
            if (value != null) {
                environment.put(name, value);
            }
        }
        return this;
    }

    /**
     * Gives a variable to every replica of every job; one of the job's own replaces it. For what belongs to this machine and not to the
     * job, as the path of a file.
     *
     * @param name without {@code =}
     */
    public LocalExecutorBuilder env(String name, String value) {
        if (name.isBlank() || name.contains("=")) {
            throw new IllegalArgumentException(
                    "a variable needs a name without \"=\", for example .env(\"DATA\", \"/data\"); was \"" + name
                            + "\"");
        }
        environment.put(name, Objects.requireNonNull(value, "value"));
        return this;
    }

    /** Passes all variables of this JVM on to the replicas. */
    public LocalExecutorBuilder inheritEnvironment() {
        environment.putAll(host.environment());
        return this;
    }

    /**
     * In which directory the replicas run; the default is this JVM's own. A program or path of a command that does not begin
     * with a slash is looked for there.
     *
     * @param directory one that is there when a job is submitted
     */
    public LocalExecutorBuilder directory(Path directory) {
        this.directory = Objects.requireNonNull(directory, "directory");
        return this;
    }

    /** In which directory the replicas of one role run; see {@link #directory(Path)}, which is for the others. */
    public LocalExecutorBuilder directory(RoleType role, Path directory) {
        directories.put(Objects.requireNonNull(role, "role"), Objects.requireNonNull(directory, "directory"));
        return this;
    }

    /** Where a role runs, as it was given; empty: where this JVM does. */
    Optional<Path> directoryOf(RoleType role) {
        return Optional.ofNullable(directories.getOrDefault(role, directory));
    }

    /**
     * Sets the folder with the values of the job's {@code secretEnv} references: one UTF-8 file for each key, {@code
     * <directory>/<secret>/<key>}, as Kubernetes mounts a Secret. The value is the whole file, its last newline included. A
     * reference without a file takes the variable of this JVM that has its name. A job with a reference that neither resolves
     * is refused at submit. The default is no folder.
     */
    public LocalExecutorBuilder secretsIn(Path directory) {
        this.secrets = Objects.requireNonNull(directory, "directory");
        return this;
    }

    LocalSecrets secrets() {
        return new LocalSecrets(secrets, host.environment());
    }

    /** Takes jobs with images as well, and runs their commands without the images; by default such a job is refused. */
    public LocalExecutorBuilder ignoringImages() {
        ignored.add(LocalPlanCheck.ClusterOnlyFeature.IMAGE);
        return this;
    }

    /** Takes jobs with volumes as well, and mounts nothing; by default such a job is refused. */
    public LocalExecutorBuilder ignoringVolumes() {
        ignored.add(LocalPlanCheck.ClusterOnlyFeature.VOLUME);
        return this;
    }

    /**
     * From which ports the replicas get theirs; the default is 20000 to 32000, which systems do not give to outgoing
     * connections.
     *
     * @param first 1024 to 65535
     * @param last from {@code first} to 65535
     */
    public LocalExecutorBuilder ports(int first, int last) {
        if (first < 1024 || last > 65_535 || first > last) {
            throw new IllegalArgumentException(
                    "ports must be from 1024 to 65535, the first one at most the last one, for example .ports(20000,"
                            + " 32000); was .ports(" + first + ", " + last + ")");
        }
        this.firstPort = first;
        this.lastPort = last;
        return this;
    }

    /**
     * The executor.
     *
     * @throws UnsupportedOperationException when this machine lacks what processes are begun and ended with
     */
    public LocalExecutor build() {
        return new LocalExecutor(this);
    }
}
