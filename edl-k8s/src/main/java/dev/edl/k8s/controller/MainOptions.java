package dev.edl.k8s.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What {@link ControllerMain} was told. Pure.
 *
 * @param namespaces none for all
 * @param config path of the configuration file; empty for none
 * @param initImage of the first container of a TrainingJob's launcher
 * @param nodeNotices whether workers leave nodes that are about to go
 */
record MainOptions(
        List<String> namespaces,
        String leaseNamespace,
        String identity,
        String config,
        String initImage,
        boolean nodeNotices) {
    static final String USAGE = "options: --namespace NAME (again for more) or --all-namespaces, --config FILE,"
            + " --init-container-image IMAGE, --identity NAME, --lease-namespace NAME, --node-notices; without a namespace"
            + " that of MY_POD_NAMESPACE counts";

    /**
     * Reads arguments; what they leave open comes from the environment.
     *
     * @param fallback the identity where neither names one
     * @throws IllegalArgumentException with what is wrong, and the options that there are
     */
    static MainOptions parse(List<String> args, Map<String, String> env, String fallback) {
        List<String> namespaces = new ArrayList<>();
        boolean all = false;
        String own = env.getOrDefault("MY_POD_NAMESPACE", "");
        String lease = own;
        String identity = env.getOrDefault("MY_POD_NAME", fallback);
        String config = "";
        String initImage = Kinds.INIT_IMAGE;
        boolean notices = false;
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
                default -> throw new IllegalArgumentException("unknown option \"" + option + "\"; " + USAGE);
            }
        }
        if (all && !namespaces.isEmpty()) {
            throw new IllegalArgumentException("--all-namespaces and --namespace exclude each other; " + USAGE);
        }
        if (!all && namespaces.isEmpty()) {
            if (own.isEmpty()) {
                throw new IllegalArgumentException("no namespace was named; " + USAGE);
            }
            namespaces.add(own);
        }
        return new MainOptions(List.copyOf(namespaces), lease, identity, config, initImage, notices);
    }

    private static String value(List<String> args, int at) {
        if (at == args.size() || args.get(at).isEmpty()) {
            throw new IllegalArgumentException(args.get(at - 1) + " needs a value; " + USAGE);
        }
        return args.get(at);
    }
}
