package dev.edl.env;

import dev.edl.RoleType;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
    /**
     * A host.
     *
     * @param name a host name or an IPv4 address
     * @param slots at least 1: Horovod takes 0, and then runs nothing there
     */
    public record Host(String name, int slots) {
        /** Checks both. */
        public Host {
            EnvText.host("host", name);
            EnvText.number("slots of " + name, slots, 1, Integer.MAX_VALUE);
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
     * The workers of a plan as it starts, with a slot for each GPU of a worker's limit, else one; in
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
        return "#!/bin/sh\nwhile read -r host || [ -n \"$host\" ]; do\n  [ -z \"$host\" ] || echo \"$host\"\ndone <"
                + path + "\n";
    }

    /**
     * Reads hosts from what {@link #hostfile}, {@link #lines}, {@link #argument} and {@link #script()} write. Empty lines are left out.
     *
     * @throws IllegalArgumentException when a host has no slots, or is given twice, or a line is none of those
     */
    public static HorovodHosts parse(String text) {
        List<Host> hosts = new ArrayList<>();
        String body = text.startsWith("#!/bin/sh\n") ? text.substring("#!/bin/sh\n".length()) : text;
        for (String line : body.split("[\n,]", -1)) {
            String word = line.startsWith("echo ") ? line.substring("echo ".length()) : line;
            if (!word.isBlank()) {
                hosts.add(host(word.strip()));
            }
        }
        return new HorovodHosts(hosts);
    }

    private static Host host(String line) {
        String[] words = line.contains(" slots=") ? line.split(" slots=", 2) : line.split(":", 2);
        if (words.length != 2) {
            throw new IllegalArgumentException("a host must have slots, was \"" + line + "\"; for example \"" + line
                    + " slots=1\" or \"" + line + ":1\"");
        }
        return new Host(words[0], EnvText.number("slots of " + words[0], words[1]));
    }

    /** {@code worker-0:4,worker-1:4}. */
    @Override
    public String toString() {
        return argument();
    }
}
