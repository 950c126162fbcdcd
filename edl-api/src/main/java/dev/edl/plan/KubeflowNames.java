package dev.edl.plan;

import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleType;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Names and labels of Kubeflow's training operator 1.7 to 1.9; the names of all replicas end in a number, except that
 * of MPIJob's launcher.
 */
record KubeflowNames(JobSpec spec) implements ObjectNames {
    private static final String DOMAIN = "training.kubeflow.org/";
    private static final String OPERATOR = DOMAIN + "operator-name";
    private static final String JOB = DOMAIN + "job-name";
    private static final String TYPE = DOMAIN + "replica-type";
    private static final String INDEX = DOMAIN + "replica-index";
    private static final String ROLE = DOMAIN + "job-role";

    @Override
    public String replica(RoleType type, String id) {
        return spec.name() + "-" + type.id() + (type == RoleType.LAUNCHER ? "" : "-" + id);
    }

    /** Returns the object's name; for TFJob, with the namespace and {@code .svc}. */
    @Override
    public String host(RoleType type, String index) {
        String name = replica(type, index);
        return spec.framework() == Framework.TENSORFLOW ? name + "." + spec.namespace() + ".svc" : name;
    }

    @Override
    public Map<String, String> selector() {
        return SortedMapCopies.copy(Map.of(OPERATOR, operator(), JOB, spec.name()));
    }

    private String operator() {
        return switch (spec.framework()) {
            case TENSORFLOW -> "tfjob-controller";
            case PYTORCH -> "pytorchjob-controller";
            case MXNET -> "mxjob-controller";
            case HOROVOD -> "mpijob-controller";
            case ELASTICDL -> throw new AssertionError("refused by ProfileSupportCheck");
        };
    }

    @Override
    public Map<String, String> labels(RoleType type, int index) {
        Map<String, String> labels = new TreeMap<>(selector());
        labels.put(TYPE, type.id());
        if (type != RoleType.LAUNCHER) {
            labels.put(INDEX, Integer.toString(index));
        }
        if (leads(type, index)) {
            labels.put(ROLE, "master");
        }
        return labels;
    }

    /** Returns whether the operator labels a replica as master. For MXJob it labels all servers. */
    private boolean leads(RoleType type, int index) {
        return switch (spec.framework()) {
            case TENSORFLOW ->
                spec.role(RoleType.CHIEF).or(() -> spec.role(RoleType.MASTER)).isPresent()
                        ? type == RoleType.CHIEF || type == RoleType.MASTER
                        : type == RoleType.WORKER && index == 0;
            case PYTORCH -> type == RoleType.MASTER;
            case MXNET -> type == RoleType.SERVER;
            case HOROVOD -> type == RoleType.LAUNCHER;
            case ELASTICDL -> false;
        };
    }

    @Override
    public Set<String> keys() {
        return Set.of(OPERATOR, JOB, TYPE, INDEX, ROLE);
    }
}
