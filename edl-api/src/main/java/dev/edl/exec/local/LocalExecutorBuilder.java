package dev.edl.exec.local;

import dev.edl.exec.LogLine;
import dev.edl.spec.RoleType;
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

/** Builder of a {@link LocalExecutor}; every setting has a default. Not thread-safe. */
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

    /**
     * Prints every line that a replica writes, after the replica's name: {@code [worker-0] step 100}. By default
     * nothing is printed.
     */
    public LocalExecutorBuilder logsTo(PrintStream out) {
        Objects.requireNonNull(out, "out");
        return logsTo(line -> out.println(line));
    }

    /**
     * Adds a reader that is called with every line that a replica writes, for each replica in the order of its output.
     *
     * <p>Lines of several replicas arrive concurrently on several threads. While the reader is busy, a replica blocks
     * on its output once its pipe is full. A reader that throws is removed.
     */
    public LocalExecutorBuilder logsTo(Consumer<LogLine> reader) {
        readers.add(Objects.requireNonNull(reader, "reader"));
        return this;
    }

    /**
     * Writes the output of each replica, byte for byte, to {@code <directory>/<replica>.log}. A replica that is started
     * again under the same name writes to {@code <replica>.2.log}, and so on: no file is overwritten. By default no
     * files are written.
     *
     * @param directory the directory, created when a replica starts if it does not exist
     */
    public LocalExecutorBuilder logsIn(Path directory) {
        this.logs = Objects.requireNonNull(directory, "directory");
        return this;
    }

    /**
     * Sets the grace period of a stopped replica, between signals TERM and KILL; the default is 10 seconds.
     *
     * @param period from 0 to 1 day
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
     * Passes environment variables of this JVM to the replicas, if they are set; a variable of the job overrides one of
     * the same name. By default a replica gets PATH, HOME and the plan's variables.
     *
     * @param names the names of the variables, without values: {@code CUDA_VISIBLE_DEVICES}
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
     * Sets an environment variable for every replica of every job; a variable of the job overrides it. It is meant for
     * values that depend on this machine, not on the job, such as the path of a file.
     *
     * @param name a name without {@code =}
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

    /** Passes all environment variables of this JVM to the replicas, as {@link #inherit} does with some. */
    public LocalExecutorBuilder inheritEnvironment() {
        environment.putAll(host.environment());
        return this;
    }

    /**
     * Sets the working directory of the replicas; the default is that of this JVM. A program's relative path is
     * resolved against the working directory.
     *
     * @param directory a directory that exists when a job is submitted
     */
    public LocalExecutorBuilder directory(Path directory) {
        this.directory = Objects.requireNonNull(directory, "directory");
        return this;
    }

    /** Sets the working directory of the replicas of one role; {@link #directory(Path)} applies to the others. */
    public LocalExecutorBuilder directory(RoleType role, Path directory) {
        directories.put(Objects.requireNonNull(role, "role"), Objects.requireNonNull(directory, "directory"));
        return this;
    }

    /** Returns the working directory that is set for a role; empty if its replicas use that of this JVM. */
    Optional<Path> directoryOf(RoleType role) {
        return Optional.ofNullable(directories.getOrDefault(role, directory));
    }

    /**
     * Sets the directory with the values of the job's {@code secretEnv} references. It has one UTF-8 file for each key,
     * {@code <directory>/<secret>/<key>}, as Kubernetes mounts a Secret. The value is the whole file, its last newline
     * included. If a reference has no file, the replica's variable gets the value of this JVM's variable of the same
     * name. A job with neither is rejected at submit. The default is no directory.
     */
    public LocalExecutorBuilder secretsIn(Path directory) {
        this.secrets = Objects.requireNonNull(directory, "directory");
        return this;
    }

    LocalSecrets secrets() {
        return new LocalSecrets(secrets, host.environment());
    }

    /** Accepts jobs with images and runs their commands without the images; by default such a job is rejected. */
    public LocalExecutorBuilder ignoringImages() {
        ignored.add(LocalPlanCheck.ClusterOnlyFeature.IMAGE);
        return this;
    }

    /** Accepts jobs with volumes and mounts nothing; by default such a job is rejected. */
    public LocalExecutorBuilder ignoringVolumes() {
        ignored.add(LocalPlanCheck.ClusterOnlyFeature.VOLUME);
        return this;
    }

    /**
     * Sets the range from which replicas get their ports. The default is 20000 to 32000; systems do not use these ports
     * for outgoing connections.
     *
     * @param first the lowest port, from 1024 to 65535
     * @param last the highest port, from {@code first} to 65535
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
     * Returns an executor with these settings.
     *
     * @throws UnsupportedOperationException when this machine lacks a tool that starts or ends processes
     */
    public LocalExecutor build() {
        return new LocalExecutor(this);
    }
}
