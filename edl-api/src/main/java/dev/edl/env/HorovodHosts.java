package dev.edl.env;

import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Hosts of a Horovod or MPI job with their slots, the number of processes that may run on each. Immutable.
 *
 * <pre>{@code
 * HorovodHosts hosts = HorovodHosts.of(plan);
 * hosts.hostfile();       // "mnist-worker-0 slots=4\nmnist-worker-1 slots=4\n"
 * hosts.lines();          // "mnist-worker-0:4\nmnist-worker-1:4\n"
 * HorovodHosts.parse(hosts.hostfile()).equals(hosts);
 * }</pre>
 *
 * @param hosts hosts in the order of their ranks, each host once
 */
public record HorovodHosts(List<Host> hosts) {
    private static final String FOLLOWING =
            "#!/bin/sh\nwhile read -r host || [ -n \"$host\" ]; do\n" + "  [ -z \"$host\" ] || echo \"$host\"\ndone <";
    private static final Pattern ECHO = Pattern.compile("^\\s*echo\\s+");
    private static final Pattern HOST = Pattern.compile("(\\S+)\\s+slots\\s*=\\s*(.*)|(\\S+):([^:]*)");

    /**
     * Host with its slots.
     *
     * @param name a host name or an IPv4 address; Open MPI's hostfiles and Horovod's discovery, but not {@code -H},
     *     also accept a user before it, {@code user@host}
     * @param slots number of processes that may run on the host, at least 1; Horovod accepts 0 and then runs nothing
     *     there
     */
    public record Host(String name, int slots) {
        /**
         * Checks the name and the number of slots.
         *
         * @throws IllegalArgumentException if {@code name} is not a host name or IPv4 address, or {@code slots} is below 1
         */
        public Host {
            EnvReader.host("host", withoutUser(name));
            EnvReader.number("slots of " + name, slots, 1, Integer.MAX_VALUE);
        }

        /** Returns the host and its slots, such as {@code worker-0:4}. */
        @Override
        public String toString() {
            return name + ":" + slots;
        }
    }

    /**
     * Copies the list. Rejects a repeated host; Horovod would silently keep its last entry.
     *
     * @throws IllegalArgumentException for a repeated host
     */
    public HorovodHosts {
        hosts = List.copyOf(hosts);
        Set<String> seen = new HashSet<>();
        for (Host host : hosts) {
            if (!seen.add(host.name())) {
                throw new IllegalArgumentException("host \"" + host.name()
                        + "\" is given twice; give each host once, with all its slots, for example " + host.name()
                        + " slots=2");
            }
        }
    }

    /**
     * Returns the workers that a plan has at its start as hosts. A worker has one slot for each device in its limit,
     * otherwise one. In {@link dev.edl.plan.Profile#KUBEFLOW_V1} each worker has one slot, as in MPIJob.
     */
    public static HorovodHosts of(JobPlan plan) {
        return HorovodEnv.of(plan.profile()).hosts(plan);
    }

    static HorovodHosts of(JobPlan plan, int slots) {
        RolePlan workers = plan.role(RoleType.WORKER.id());
        return new HorovodHosts(IntStream.range(0, workers.replicas())
                .mapToObj(index -> new Host(plan.endpoint(workers, index).host(), slots))
                .toList());
    }

    /** Returns the total number of slots. */
    public int slots() {
        return hosts.stream().mapToInt(Host::slots).sum();
    }

    /** Returns a hostfile of Horovod, Open MPI and DeepSpeed, with lines such as {@code worker-0 slots=4}. */
    public String hostfile() {
        return hosts.stream()
                .map(host -> host.name() + " slots=" + host.slots() + "\n")
                .collect(Collectors.joining());
    }

    /** Returns lines such as {@code worker-0:4}, the format of et-operator's hostfile and of discovery scripts. */
    public String lines() {
        return hosts.stream().map(host -> host + "\n").collect(Collectors.joining());
    }

    /** Returns {@code worker-0:4,worker-1:4}, the argument of {@code horovodrun -H}. */
    public String argument() {
        return hosts.stream().map(Host::toString).collect(Collectors.joining(","));
    }

    /** Returns a discovery script that prints these hosts, as MPIJob's {@code discover_hosts.sh} does. */
    public String script() {
        return "#!/bin/sh\n" + hosts.stream().map(host -> "echo " + host + "\n").collect(Collectors.joining());
    }

    /**
     * Returns a discovery script that prints the lines of a file, as et-operator's {@code discover_hosts.sh} does.
     * Updating the file changes the hosts. The script omits empty lines, which Horovod would treat as hosts without a
     * name.
     *
     * @param path absolute path, without blanks and quotes, of a file that contains {@link #lines}
     */
    public static String script(String path) {
        HorovodElastic.checkPath("the file of a discovery script", path);
        return FOLLOWING + path + "\n";
    }

    /**
     * Returns the path of the file whose lines a script from {@link #script(String)} prints; empty for any other
     * script.
     */
    public static Optional<String> scriptFile(String script) {
        return script.startsWith(FOLLOWING) && script.endsWith("\n")
                ? Optional.of(script.substring(FOLLOWING.length(), script.length() - 1))
                : Optional.empty();
    }

    /**
     * Parses hosts from the output of {@link #hostfile}, {@link #lines}, {@link #argument} and {@link #script()}, and
     * from handwritten hostfiles. The latter may have blanks and tabs between words, Windows line ends, comments after
     * {@code #} and empty lines.
     *
     * @throws IllegalArgumentException when a host has no slots or is repeated, or a line has none of these forms; the
     *     message quotes the line
     */
    public static HorovodHosts parse(String text) {
        scriptFile(text).ifPresent(file -> {
            throw new IllegalArgumentException("this script prints the hosts of " + file + "; parse that file instead");
        });
        boolean script = text.startsWith("#!");
        List<Host> hosts = new ArrayList<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            String words = line.split("#", 2)[0];
            for (String word : (script ? ECHO.matcher(words).replaceFirst("") : words).split(",", -1)) {
                if (!word.isBlank()) {
                    hosts.add(host("line " + number + ": ", word.strip()));
                }
            }
        }
        return new HorovodHosts(hosts);
    }

    private static String withoutUser(String host) {
        return host.replaceFirst("^[A-Za-z0-9._-]+@", "");
    }

    private static Host host(String where, String text) {
        Matcher words = HOST.matcher(text);
        if (!words.matches()) {
            String host = text.matches("[A-Za-z0-9._-]+") ? text : "worker-0";
            throw new IllegalArgumentException(where + "a host must have slots, was \"" + text + "\"; for example \""
                    + host + " slots=1\" or \"" + host + ":1\"");
        }
        boolean file = words.group(1) != null;
        String name = words.group(file ? 1 : 3);
        EnvReader.host(where + "a host", withoutUser(name));
        String slots = EnvReader.plainNumber(words.group(file ? 2 : 4));
        return new Host(name, EnvReader.number(where + "slots of " + name, slots));
    }

    /** Returns {@code worker-0:4,worker-1:4}. */
    @Override
    public String toString() {
        return argument();
    }
}
