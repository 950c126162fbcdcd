package dev.edl.operators.controller;

import dev.edl.operators.controller.internal.ListenAddressParser;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Options of {@link ControllerMain}. Pure.
 *
 * @param namespaces namespaces to watch; empty for all namespaces
 * @param config path of the configuration file; empty for none
 * @param initImage image of the first container of a TrainingJob's launcher
 * @param nodeNotices whether workers leave nodes that are about to be taken away
 * @param forceDelete whether the controller force-deletes pods that exist one minute after their grace period
 * @param kinds kinds to drive, each a word of {@link JobKinds#WORDS}
 * @param replicas limits on the numbers of replicas
 * @param probes address at which the probes are served; empty to serve none
 * @param metrics address at which metrics and probes are served; empty to serve no metrics
 */
record MainOptions(
        List<String> namespaces,
        String leaseNamespace,
        String identity,
        String config,
        String initImage,
        boolean nodeNotices,
        boolean forceDelete,
        Set<String> kinds,
        ReplicaQuotas replicas,
        Optional<InetSocketAddress> probes,
        Optional<InetSocketAddress> metrics) {
    static final String USAGE =
            "options: --namespace NAME (again for more) or --all-namespaces, --kinds LIST, --config FILE,"
                    + " --init-container-image IMAGE, --identity NAME, --lease-namespace NAME, --node-notices, --no-force-delete,"
                    + " --max-replicas-per-job N, --max-replicas-per-namespace N, --max-replicas N,"
                    + " --health-probe-bind-address HOST:PORT, --metrics-bind-address HOST:PORT; the default namespace is"
                    + " MY_POD_NAMESPACE";

    /**
     * Parses arguments, with defaults from the environment.
     *
     * @param fallback identity to use if neither the arguments nor the environment set one
     * @throws IllegalArgumentException with the mistake and the valid options
     */
    static MainOptions parse(List<String> args, Map<String, String> env, String fallback) {
        List<String> namespaces = new ArrayList<>();
        boolean all = false;
        String own = env.getOrDefault("MY_POD_NAMESPACE", "");
        String lease = own;
        String identity = env.getOrDefault("MY_POD_NAME", fallback);
        String config = "";
        String initImage = JobKinds.INIT_IMAGE;
        boolean notices = false;
        boolean force = true;
        Set<String> kinds = JobKinds.WORDS;
        ReplicaQuotas replicas = ReplicaQuotas.STANDARD;
        Optional<InetSocketAddress> probes = Optional.empty();
        Optional<InetSocketAddress> metrics = Optional.empty();
        for (int i = 0; i < args.size(); i++) {
            String option = args.get(i);
            switch (option) {
                case "--all-namespaces" -> all = true;
                case "--namespace" -> namespaces.add(value(args, ++i));
                case "--lease-namespace" -> lease = value(args, ++i);
                case "--identity" -> identity = value(args, ++i);
                case "--config" -> config = value(args, ++i);
                case "--init-container-image" -> initImage = value(args, ++i);
                case "--node-notices" -> notices = true;
                case "--no-force-delete" -> force = false;
                case "--kinds" -> kinds = kinds(value(args, ++i));
                case "--max-replicas-per-job" -> replicas = replicas.perJob(number(args, ++i));
                case "--max-replicas-per-namespace" -> replicas = replicas.perNamespace(number(args, ++i));
                case "--max-replicas" -> replicas = replicas.total(number(args, ++i));
                case "--health-probe-bind-address" ->
                    probes = Optional.of(ListenAddressParser.of(option, value(args, ++i)));
                case "--metrics-bind-address" ->
                    metrics = Optional.of(ListenAddressParser.of(option, value(args, ++i)));
                default -> throw new IllegalArgumentException("unknown option \"" + option + "\"; " + USAGE);
            }
        }
        if (all && !namespaces.isEmpty()) {
            throw new IllegalArgumentException("--all-namespaces and --namespace exclude each other; " + USAGE);
        }
        if (!all && namespaces.isEmpty()) {
            if (own.isEmpty()) {
                throw new IllegalArgumentException("no namespace is set; " + USAGE);
            }
            namespaces.add(own);
        }
        return new MainOptions(
                List.copyOf(namespaces),
                lease,
                identity,
                config,
                initImage,
                notices,
                force,
                kinds,
                replicas,
                probes,
                metrics);
    }

    /**
     * Splits a comma-separated list of kinds, such as {@code tfjob,mxjob}, without checking them; {@link JobKinds#of}
     * does.
     */
    static Set<String> kinds(String list) {
        return new LinkedHashSet<>(List.of(list.split(",", -1)));
    }

    private static int number(List<String> args, int at) {
        String text = value(args, at);
        if (!text.matches("[1-9][0-9]{0,6}")) {
            throw new IllegalArgumentException(
                    args.get(at - 1) + " must be a number of at least 1, was \"" + text + "\"; for example 1000");
        }
        return Integer.parseInt(text);
    }

    private static String value(List<String> args, int at) {
        if (at == args.size() || args.get(at).isEmpty()) {
            throw new IllegalArgumentException(args.get(at - 1) + " needs a value; " + USAGE);
        }
        return args.get(at);
    }
}
