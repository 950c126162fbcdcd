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
     * Prints every line of every replica after the replica's name, {@code [worker-0] step 100}. The default prints
     * none.
     */
    public LocalExecutorBuilder logsTo(PrintStream out) {
        Objects.requireNonNull(out, "out");
        return logsTo(line -> out.println(line));
    }

    /**
     * Adds a reader that is called with every line of every replica, in the order in which the replica wrote them.
     *
     * <p>Lines of several replicas arrive concurrently on several threads. A replica blocks while its reader is busy
     * and its pipe is full. A reader that throws is removed.
     */
    public LocalExecutorBuilder logsTo(Consumer<LogLine> reader) {
        readers.add(Objects.requireNonNull(reader, "reader"));
        return this;
    }

    /**
     * Writes the output of each replica, byte for byte, to {@code <directory>/<replica>.log}. A replica that is started
     * again under the same name writes to {@code <replica>.2.log}, and so on: no file is overwritten. The default
     * writes no files.
     *
     * @param directory the directory, created when a replica starts if it does not exist
     */
    public LocalExecutorBuilder logsIn(Path directory) {
        this.logs = Objects.requireNonNull(directory, "directory");
        return this;
    }

    /**
     * Sets the grace period between signal TERM and signal KILL; the default is 10 seconds.
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
     * Passes variables of this JVM to the replicas, if they are set; a variable of the job overrides them. By default a
     * replica gets PATH, HOME and the plan's variables.
     *
     * @param names names without values, {@code CUDA_VISIBLE_DEVICES}
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
     * Sets a variable for every replica of every job; a variable of the job overrides it. Meant for values of this
     * machine instead of the job, such as the path of a file.
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

    /** Passes all variables of this JVM to the replicas. */
    public LocalExecutorBuilder inheritEnvironment() {
        environment.putAll(host.environment());
        return this;
    }

    /**
     * Sets the working directory of the replicas; the default is that of this JVM. A relative path of a program is
     * resolved against it.
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

    /** Returns the configured working directory of a role; empty for that of this JVM. */
    Optional<Path> directoryOf(RoleType role) {
        return Optional.ofNullable(directories.getOrDefault(role, directory));
    }

    /**
     * Sets the directory with the values of the job's {@code secretEnv} references. It has one UTF-8 file for each key,
     * {@code <directory>/<secret>/<key>}, as Kubernetes mounts a Secret. The value is the whole file, its last newline
     * included. A reference without a file takes this JVM's variable of the same name. A job with an unresolved
     * reference is rejected at submit. The default is no directory.
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
     * Sets the range of the replicas' ports; the default is 20000 to 32000, which systems do not use for outgoing
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
     * Returns the executor.
     *
     * @throws UnsupportedOperationException when this machine lacks a tool that starts or ends processes
     */
    public LocalExecutor build() {
        return new LocalExecutor(this);
    }
}
