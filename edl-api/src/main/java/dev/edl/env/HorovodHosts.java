package dev.edl.env;

import dev.edl.RoleType;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
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
 * The hosts of a Horovod or MPI job, each with its slots: how many processes may run there. Immutable.
 *
 * <pre>{@code
 * HorovodHosts hosts = HorovodHosts.of(plan);
 * hosts.hostfile();       // "mnist-worker-0 slots=4\nmnist-worker-1 slots=4\n"
 * hosts.lines();          // "mnist-worker-0:4\nmnist-worker-1:4\n"
 * HorovodHosts.parse(hosts.hostfile()).equals(hosts);
 * }</pre>
 *
 * @param hosts in the order of their ranks, each host once
 */
public record HorovodHosts(List<Host> hosts) {
    private static final String FOLLOWING =
            "#!/bin/sh\nwhile read -r host || [ -n \"$host\" ]; do\n" + "  [ -z \"$host\" ] || echo \"$host\"\ndone <";
    private static final Pattern ECHO = Pattern.compile("^\\s*echo\\s+");
    private static final Pattern HOST = Pattern.compile("(\\S+)\\s+slots\\s*=\\s*(.*)|(\\S+):([^:]*)");

    /**
     * A host.
     *
     * @param name a host name or an IPv4 address
     * @param slots at least 1: Horovod takes 0, and then runs nothing there
     */
    public record Host(String name, int slots) {
        /** Checks both. */
        public Host {
            EnvReader.host("host", name);
            EnvReader.number("slots of " + name, slots, 1, Integer.MAX_VALUE);
        }

        /** {@code worker-0:4}. */
        @Override
        public String toString() {
            return name + ":" + slots;
        }
    }

    /** Copies; a host that is there twice is refused, since Horovod would keep the last one without a word. */
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
     * The workers of a plan as it starts, with a slot for each device of a worker's limit, else one; in
     * {@link dev.edl.plan.Profile#KUBEFLOW_V1} with one slot, as MPIJob has it.
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

    /** All slots. */
    public int slots() {
        return hosts.stream().mapToInt(Host::slots).sum();
    }

    /** A hostfile of Horovod, Open MPI and DeepSpeed: {@code worker-0 slots=4}, a line each. */
    public String hostfile() {
        return hosts.stream()
                .map(host -> host.name() + " slots=" + host.slots() + "\n")
                .collect(Collectors.joining());
    }

    /** {@code worker-0:4}, a line each: et-operator's hostfile, and what a discovery script prints. */
    public String lines() {
        return hosts.stream().map(host -> host + "\n").collect(Collectors.joining());
    }

    /** {@code worker-0:4,worker-1:4}, as {@code horovodrun -H} takes it. */
    public String argument() {
        return hosts.stream().map(Host::toString).collect(Collectors.joining(","));
    }

    /** A discovery script that prints these hosts, as MPIJob's {@code discover_hosts.sh} does; for hosts that are known. */
    public String script() {
        return "#!/bin/sh\n" + hosts.stream().map(host -> "echo " + host + "\n").collect(Collectors.joining());
    }

    /**
     * A discovery script that prints the lines of a file, so that the hosts are changed by changing the file, as et-operator's
     * {@code discover_hosts.sh} does. Empty lines are left out: Horovod would take each for a host without a name.
     *
     * @param path the file, with {@link #lines} in it; absolute, without blanks and quotes
     */
    public static String script(String path) {
        HorovodElastic.checkPath("the file of a discovery script", path);
        return FOLLOWING + path + "\n";
    }

    /** The file whose lines a script prints, when it is one that {@link #script(String)} wrote. */
    public static Optional<String> scriptFile(String script) {
        return script.startsWith(FOLLOWING) && script.endsWith("\n")
                ? Optional.of(script.substring(FOLLOWING.length(), script.length() - 1))
                : Optional.empty();
    }

    /**
     * Reads hosts from what {@link #hostfile}, {@link #lines}, {@link #argument} and {@link #script()} write, and from
     * hostfiles as people write them: blanks and tabs between the words, line ends of Windows, and comments behind {@code #}.
     * Empty lines are left out.
     *
     * @throws IllegalArgumentException when a host has no slots, or is given twice, or a line is none of those; the message
     *     tells the line
     */
    public static HorovodHosts parse(String text) {
        scriptFile(text).ifPresent(file -> {
            throw new IllegalArgumentException(
                    "the hosts are in " + file + ", whose lines this script prints; read that file");
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

    private static Host host(String where, String text) {
        Matcher words = HOST.matcher(text);
        if (!words.matches()) {
            String host = text.matches("[A-Za-z0-9._-]+") ? text : "worker-0";
            throw new IllegalArgumentException(where + "a host must have slots, was \"" + text + "\"; for example \""
                    + host + " slots=1\" or \"" + host + ":1\"");
        }
        boolean file = words.group(1) != null;
        String name = words.group(file ? 1 : 3);
        EnvReader.host(where + "a host", name);
        return new Host(name, EnvReader.number(where + "slots of " + name, words.group(file ? 2 : 4)));
    }

    /** {@code worker-0:4,worker-1:4}. */
    @Override
    public String toString() {
        return argument();
    }
}
