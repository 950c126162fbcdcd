package dev.edl.operators;

import dev.edl.operators.crd.CustomObject;
import dev.edl.spec.RoleType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What each operator sets in the container that trains, restated from its source and from nothing of EDL's:
 *
 * <ul>
 *   <li>TFJob, PyTorchJob, MPIJob v1: kubeflow/training-operator v1.8.1 and v1.9.0, {@code pkg/controller.v1} and the defaults of
 *       {@code pkg/apis/kubeflow.org/v1}, alike in both; MXJob: v1.8.1;
 *   <li>MPIJob v2beta1: kubeflow/mpi-operator v0.8.0, {@code pkg/controller/mpi_job_controller.go};
 *   <li>TfJob: tensorflow/k8s 7f399225; MxJob: deepinsight/mxnet-operator c377703; TrainingJob: et-operator 96806fb.
 * </ul>
 *
 * <p>Limits: it knows no cluster domain of the operator's own, and no names of the first two generations of TfJob.
 */
final class OperatorModel {
    private final Map<?, ?> object;
    private final Map<?, ?> spec;
    private final String name;
    private final RoleType role;
    private final int index;

    private OperatorModel(CustomObject resource, RoleType role, int index) {
        this.object = resource.fields();
        this.spec = map(object.get("spec"));
        this.name = resource.name();
        this.role = role;
        this.index = index;
    }

    /** Returns the operator's variables in a replica. */
    static Map<String, String> of(CustomObject resource, RoleType role, int index) {
        OperatorModel model = new OperatorModel(resource, role, index);
        return switch (resource.kind() + " " + resource.apiVersion()) {
            case "TFJob kubeflow.org/v1" -> model.tfJob();
            case "PyTorchJob kubeflow.org/v1" -> model.pyTorchJob();
            case "MXJob kubeflow.org/v1" -> model.mxJob();
            case "MPIJob kubeflow.org/v1" -> model.mpiJob();
            case "MPIJob kubeflow.org/v2beta1" -> model.mpiJobBeta();
            case "TrainingJob kai.alibabacloud.com/v1alpha1" -> model.trainingJob();
            case "MxJob mlkube.io/v1beta1", "MxJob mxnet.mlkube.io/v1beta1" -> model.firstMxJob();
            default -> model.firstTfJob();
        };
    }

    /** Returns the user's variables in a replica. */
    static Map<String, String> given(CustomObject resource, RoleType role) {
        OperatorModel model = new OperatorModel(resource, role, 0);
        return model.userEnv(model.replica(role).orElseThrow());
    }

    // pytorch_defaults.go, envvar.go, master.go, elastic.go
    private Map<String, String> pyTorchJob() {
        Map<String, String> env = new LinkedHashMap<>();
        env.put("PYTHONUNBUFFERED", "1");
        String processes = String.valueOf(text(spec.get("nprocPerNode")).orElse("auto"));
        int total = total();
        if (replica(RoleType.MASTER).isPresent()) {
            String port = Integer.toString(port(RoleType.MASTER, "pytorchjob-port", 23456));
            String rank = Integer.toString(role == RoleType.WORKER ? index + 1 : index);
            env.put("MASTER_PORT", port);
            env.put("PET_MASTER_PORT", port);
            env.put("MASTER_ADDR", name + "-master-0");
            env.put("PET_MASTER_ADDR", name + "-master-0");
            int each = processes.matches("[0-9]+") ? Integer.parseInt(processes) : 1;
            env.put("WORLD_SIZE", Integer.toString(total * each));
            env.put("RANK", rank);
            env.put("PET_NODE_RANK", rank);
        }
        env.put("PET_NPROC_PER_NODE", processes);
        if (spec.get("elasticPolicy") instanceof Map<?, ?> policy) {
            Optional<String> min = text(policy.get("minReplicas"));
            Optional<String> max = text(policy.get("maxReplicas"));
            String workers = Integer.toString(replicas(RoleType.WORKER));
            env.put("PET_RDZV_ENDPOINT", name + "-worker-0:" + port(RoleType.WORKER, "pytorchjob-port", 23456));
            env.put("PET_RDZV_BACKEND", text(policy.get("rdzvBackend")).orElse("c10d"));
            env.put(
                    "PET_NNODES",
                    min.or(() -> max).orElse(workers) + ":" + max.or(() -> min).orElse(workers));
            text(policy.get("maxRestarts")).ifPresent(restarts -> env.put("PET_MAX_RESTARTS", restarts));
            text(policy.get("rdzvId")).ifPresent(id -> env.put("PET_RDZV_ID", id));
            if (Boolean.TRUE.equals(policy.get("standalone"))) {
                env.put("PET_STANDALONE", "");
            }
        } else {
            env.put("PET_NNODES", Integer.toString(total));
        }
        return env;
    }

    // tfjob_controller.go SetClusterSpec, tensorflow.go genTFConfigJSONStr
    private Map<String, String> tfJob() {
        if (total() == 1) {
            return Map.of();
        }
        String namespace = text(map(object.get("metadata")).get("namespace")).orElse("default");
        Map<String, List<String>> cluster = new TreeMap<>();
        types().forEach(type -> cluster.put(
                type.id(),
                IntStream.range(0, replicas(type))
                        .mapToObj(i -> "\"" + name + "-" + type.id() + "-" + i + "." + namespace + ".svc:"
                                + port(type, "tfjob-port", 2222) + "\"")
                        .toList()));
        String task = "\"task\":{\"type\":\"" + role.id() + "\",\"index\":" + index + "}";
        if (Boolean.TRUE.equals(spec.get("enableDynamicWorker"))) {
            List<String> own = cluster.getOrDefault(role.id(), List.of());
            String worker = role == RoleType.WORKER ? "{\"" + index + "\":" + own.get(index) + "}" : "{}";
            String ps = switch (role) {
                case WORKER -> cluster.containsKey("ps") ? list(cluster.getOrDefault("ps", List.of())) : "null";
                case PS -> list(List.of(own.get(index)));
                default -> "[]";
            };
            return Map.of("TF_CONFIG", "{\"cluster\":{\"worker\":" + worker + ",\"ps\":" + ps + "}," + task + "}");
        }
        return Map.of("TF_CONFIG", "{\"cluster\":" + lists(cluster) + "," + task + ",\"environment\":\"cloud\"}");
    }

    // mxnet.go SetPodEnv
    private Map<String, String> mxJob() {
        Map<String, List<String>> cluster = new TreeMap<>();
        Map<String, String> labels = new TreeMap<>();
        for (RoleType type : types()) {
            cluster.put(
                    type.id(),
                    IntStream.range(0, replicas(type))
                            .mapToObj(i -> "{\"url\":\"" + name + "-" + type.id() + "-" + i + "\",\"port\":"
                                    + port(type, "mxjob-port", 9091) + "}")
                            .toList());
            Map<?, ?> metadata =
                    map(map(replica(type).orElseThrow().get("template")).get("metadata"));
            labels.put(
                    type.id(),
                    text(map(metadata.get("annotations")).get("tuner-server-key"))
                            .orElse(""));
        }
        boolean scheduled = replica(RoleType.SCHEDULER).isPresent();
        Map<String, String> env = new LinkedHashMap<>();
        env.put(
                "MX_CONFIG",
                "{\"cluster\":" + lists(cluster) + ",\"labels\":"
                        + labels.entrySet().stream()
                                .map(label -> "\"" + label.getKey() + "\":\"" + label.getValue() + "\"")
                                .collect(Collectors.joining(",", "{", "}"))
                        + ",\"task\":{\"type\":\"" + role.id() + "\",\"index\":" + index + "}}");
        env.put("DMLC_PS_ROOT_PORT", scheduled ? Integer.toString(port(RoleType.SCHEDULER, "mxjob-port", 9091)) : "0");
        env.put("DMLC_PS_ROOT_URI", scheduled ? name + "-scheduler-0" : "");
        env.put("DMLC_NUM_SERVER", Integer.toString(replicas(RoleType.SERVER)));
        env.put("DMLC_NUM_WORKER", Integer.toString(replicas(RoleType.WORKER)));
        env.put("DMLC_ROLE", role.id());
        env.put("DMLC_USE_KUBERNETES", "1");
        if (role == RoleType.WORKER) {
            env.put("DMLC_WORKER_ID", Integer.toString(index));
        }
        return env;
    }

    // mpijob_controller.go newLauncher, mpijob.go isGPULauncher and hasIntelMPIBootstrapValues
    private Map<String, String> mpiJob() {
        if (role != RoleType.LAUNCHER) {
            return Map.of();
        }
        Map<?, ?> launcher = replica(role).orElseThrow();
        Map<String, String> env = new LinkedHashMap<>();
        env.put("OMPI_MCA_plm_rsh_agent", "/etc/mpi/kubexec.sh");
        env.put("OMPI_MCA_orte_default_hostfile", "/etc/mpi/hostfile");
        Map<?, ?> limits = map(map(container(launcher).get("resources")).get("limits"));
        if (limits.keySet().stream().noneMatch(key -> String.valueOf(key).contains("gpu"))) {
            env.put("NVIDIA_VISIBLE_DEVICES", "");
            env.put("NVIDIA_DRIVER_CAPABILITIES", "");
        }
        Map<String, String> given = userEnv(launcher);
        if (!given.containsKey("I_MPI_HYDRA_BOOTSTRAP")) {
            env.put("I_MPI_HYDRA_BOOTSTRAP", "rsh");
        }
        if (!given.containsKey("I_MPI_HYDRA_BOOTSTRAP_EXEC")) {
            env.put("I_MPI_HYDRA_BOOTSTRAP_EXEC", "/etc/mpi/kubexec.sh");
        }
        return env;
    }

    // mpi_job_controller.go newWorker and newLauncherPodTemplate
    private Map<String, String> mpiJobBeta() {
        Map<String, String> env = new LinkedHashMap<>();
        env.put("K_MPI_JOB_ROLE", role.id());
        if (role != RoleType.LAUNCHER) {
            return env;
        }
        String slots = text(spec.get("slotsPerWorker")).orElse("1");
        switch (text(spec.get("mpiImplementation")).orElse("OpenMPI")) {
            case "OpenMPI" -> {
                env.put("OMPI_MCA_orte_keep_fqdn_hostnames", "true");
                env.put("OMPI_MCA_orte_default_hostfile", "/etc/mpi/hostfile");
                env.put("OMPI_MCA_plm_rsh_args", "-o ConnectionAttempts=10");
                env.put("OMPI_MCA_orte_set_default_slots", slots);
            }
            case "Intel" -> {
                env.put("I_MPI_HYDRA_HOST_FILE", "/etc/mpi/hostfile");
                env.put("I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS", "-o ConnectionAttempts=10");
                env.put("I_MPI_PERHOST", slots);
            }
            default -> {
                env.put("HYDRA_HOST_FILE", "/etc/mpi/hostfile");
                env.put("HYDRA_LAUNCH_EXTRA_ARGS", "-o ConnectionAttempts=10");
            }
        }
        if (!Boolean.TRUE.equals(spec.get("runLauncherAsWorker"))) {
            env.put("NVIDIA_VISIBLE_DEVICES", "");
            env.put("NVIDIA_DRIVER_CAPABILITIES", "");
        }
        return env;
    }

    // resource.go newLauncher
    private Map<String, String> trainingJob() {
        return role == RoleType.LAUNCHER && "kubexec".equals(spec.get("launcherAttachMode"))
                ? Map.of("OMPI_MCA_plm_rsh_agent", "/etc/mpi/kubexec.sh")
                : Map.of();
    }

    // replicas.go: a local job has none
    private Map<String, String> firstMxJob() {
        if (!"dist".equals(spec.get("jobMode"))) {
            return Map.of();
        }
        Map<?, ?> scheduler = replica(RoleType.SCHEDULER).orElseThrow();
        return Map.of(
                "DMLC_PS_ROOT_PORT", text(scheduler.get("PsRootPort")).orElse("9091"),
                "DMLC_PS_ROOT_URI", name + "-scheduler-" + spec.get("RuntimeId") + "-0",
                "DMLC_NUM_SERVER", Integer.toString(replicas(RoleType.SERVER)),
                "DMLC_NUM_WORKER", Integer.toString(replicas(RoleType.WORKER)),
                "DMLC_ROLE", role.id());
    }

    // replicas.go, training.go ClusterSpec
    private Map<String, String> firstTfJob() {
        String start = name.substring(0, Math.min(40, name.length()));
        Map<String, List<String>> cluster = new TreeMap<>();
        types().forEach(type -> cluster.put(
                type.id(),
                IntStream.range(0, replicas(type))
                        .mapToObj(i -> "\"" + start + "-" + type.id() + "-" + spec.get("RuntimeId") + "-" + i + ":"
                                + text(replica(type).orElseThrow().get("tfPort"))
                                        .orElse("2222") + "\"")
                        .toList()));
        return Map.of(
                "TF_CONFIG",
                "{\"cluster\":" + lists(cluster) + ",\"task\":{\"type\":\"" + role.id() + "\",\"index\":" + index
                        + "},\"environment\":\"cloud\"}");
    }

    private static String lists(Map<String, List<String>> cluster) {
        return cluster.entrySet().stream()
                .map(type -> "\"" + type.getKey() + "\":" + list(type.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String list(List<String> items) {
        return "[" + String.join(",", items) + "]";
    }

    private int total() {
        return types().stream().mapToInt(this::replicas).sum();
    }

    private List<RoleType> types() {
        List<RoleType> types = new ArrayList<>(List.of(RoleType.values()));
        types.removeIf(type -> replica(type).isEmpty());
        return types;
    }

    private int replicas(RoleType type) {
        return replica(type)
                .map(one -> one.get("replicas") instanceof Number number ? number.intValue() : 1)
                .orElse(0);
    }

    /** Returns a role of a map of roles, or of a list of them. */
    private Optional<Map<?, ?>> replica(RoleType type) {
        for (Map.Entry<?, ?> field : spec.entrySet()) {
            String key = String.valueOf(field.getKey());
            if (key.endsWith("ReplicaSpecs")) {
                for (Map.Entry<?, ?> one : map(field.getValue()).entrySet()) {
                    if (type.id().equals(String.valueOf(one.getKey()).toLowerCase(Locale.ROOT))) {
                        return Optional.of(map(one.getValue()));
                    }
                }
            } else if (key.equals("replicaSpecs") && field.getValue() instanceof List<?> list) {
                for (Object one : list) {
                    if (map(one).containsValue(type.name())) {
                        return Optional.of(map(one));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private int port(RoleType type, String port, int otherwise) {
        if (container(replica(type).orElseThrow()).get("ports") instanceof List<?> ports) {
            for (Object one : ports) {
                if (port.equals(map(one).get("name"))) {
                    return Integer.parseInt(text(map(one).get("containerPort")).orElseThrow());
                }
            }
        }
        return otherwise;
    }

    private static Map<?, ?> container(Map<?, ?> replica) {
        return map(
                map(map(replica.get("template")).get("spec")).get("containers") instanceof List<?> list
                        ? list.get(0)
                        : null);
    }

    private Map<String, String> userEnv(Map<?, ?> replica) {
        Map<String, String> env = new LinkedHashMap<>();
        if (container(replica).get("env") instanceof List<?> entries) {
            entries.forEach(one -> env.put(
                    String.valueOf(map(one).get("name")),
                    text(map(one).get("value")).orElse("")));
        }
        return env;
    }

    private static Optional<String> text(@Nullable Object value) {
        return Optional.ofNullable(value).map(String::valueOf);
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }
}
