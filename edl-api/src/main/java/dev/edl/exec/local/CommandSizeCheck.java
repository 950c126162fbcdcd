package dev.edl.exec.local;

import dev.edl.plan.JobPlan;
import dev.edl.plan.PlanException;
import dev.edl.plan.ReplicaPlan;
import dev.edl.plan.RolePlan;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks, before the first replica starts, that the command and environment of each role fit the system's size limit
 * and charset. The plan already rejects single words and variables that are too long.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/execve.2.html">execve(2), limits on size of arguments and
 *     environment</a>
 */
final class CommandSizeCheck {
    /** The limit of macOS in bytes (ARG_MAX) for arguments and environment together. */
    private static final long MAC_ALL = 1_048_576;

    private static final long LEAST = 131_072;
    private static final long MOST = 6L << 20;
    private static final int POINTER = 8;

    private CommandSizeCheck() {}

    /**
     * Checks all roles of a plan with this JVM's charset.
     *
     * @throws PlanException with the first role whose replicas cannot be started
     */
    static void check(JobPlan plan, LocalReplicaLauncher launch) {
        check(plan, launch, charset());
    }

    /**
     * Checks all roles of a plan.
     *
     * @param charset the charset in which this JVM passes words and variables to the system
     * @throws PlanException with the first role whose replicas cannot be started
     */
    static void check(JobPlan plan, LocalReplicaLauncher launch, Charset charset) {
        Path limits = Path.of("/proc/self/limits");
        long all = Files.isReadable(limits) ? ofStack(limits) : MAC_ALL;
        for (RolePlan role : plan.roles()) {
            check(plan, role, launch, charset, all);
        }
    }

    private static void check(JobPlan plan, RolePlan role, LocalReplicaLauncher launch, Charset charset, long mostAll) {
        ReplicaPlan replica = plan.replica(role.type().id(), role.replicas() - 1);
        ProcessBuilder process = launch.process(replica, Long.MAX_VALUE);
        CharsetEncoder encoder = charset.newEncoder();
        long sum = 0;
        Set<String> words = new TreeSet<>(process.command());
        for (Map.Entry<String, String> variable : process.environment().entrySet()) {
            words.add(variable.getKey() + "=" + variable.getValue());
        }
        for (String word : words) {
            String start = word.length() > 40 ? word.substring(0, 40) + "…" : word;
            if (!encoder.canEncode(word)) {
                throw refused(
                        plan,
                        replica,
                        "\"" + start + "\" holds characters that " + charset
                                + ", this JVM's charset for arguments and variables, cannot encode; start the JVM in"
                                + " a UTF-8 locale, for example with LC_ALL=C.UTF-8");
            }
        }
        for (List<String> part : List.of(process.command(), variables(process.environment()))) {
            for (String word : part) {
                sum += word.getBytes(charset).length + 1L + POINTER;
            }
        }
        if (sum > mostAll) {
            throw refused(
                    plan,
                    replica,
                    "its command and environment take " + sum + " bytes together; the system allows at most " + mostAll
                            + "; put long values into files and pass their paths, or inherit fewer variables");
        }
    }

    private static List<String> variables(Map<String, String> environment) {
        return environment.entrySet().stream()
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .toList();
    }

    private static PlanException refused(JobPlan plan, ReplicaPlan replica, String why) {
        return new PlanException(
                "job \"" + plan.name() + "\" cannot run as local processes: " + replica.role() + ": " + why);
    }

    /**
     * Returns the charset in which this JVM passes command words and environment variables to the system: the default
     * charset before Java 18, then that of the locale.
     */
    private static Charset charset() {
        return Runtime.version().feature() < 18
                ? Charset.defaultCharset()
                : Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    }

    /**
     * Returns Linux's limit in bytes for arguments and environment together: a quarter of the stack limit of a process,
     * from 128 KiB to 6 MiB.
     */
    private static long ofStack(Path limits) {
        try {
            for (String line : Files.readAllLines(limits)) {
                String[] words = line.split("\\s+");
                if (line.startsWith("Max stack size") && words.length > 3) {
                    return words[3].equals("unlimited")
                            ? MOST
                            : Math.max(LEAST, Math.min(MOST, Long.parseLong(words[3]) / 4));
                }
            }
            return LEAST;
        } catch (IOException e) {
            // If the system does not report its limit, the least possible one applies.
            return LEAST;
        }
    }
}
