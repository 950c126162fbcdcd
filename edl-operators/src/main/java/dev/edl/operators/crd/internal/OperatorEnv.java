package dev.edl.operators.crd.internal;

import dev.edl.spec.RoleType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Table of the environment variables that one operator sets in the container that trains. Readers and writers of
 * resources use it to report which of a user's variables the operator overwrites. Any other variable reaches the pods
 * unchanged.
 *
 * <p>Whether a row applies to a role depends on the resource: its roles, replicas and fields, and for MPI the
 * launcher's own variables and limits.
 *
 * <table><caption>Sources</caption>
 * <tr><th>operator</th><th>version</th><th>file</th></tr>
 * <tr><td>TfJob</td><td>tensorflow/k8s 7f399225 (2017-12-15)</td><td>pkg/trainer/replicas.go</td></tr>
 * <tr><td>MxJob</td><td>deepinsight/mxnet-operator c377703 (2017-12-14)</td><td>pkg/trainer/replicas.go</td></tr>
 * <tr><td>TrainingJob</td><td>et-operator 96806fb (2025-01-02)</td><td>pkg/controllers/resource.go</td></tr>
 * <tr><td>TFJob, PyTorchJob</td><td>training-operator v1.8.1 and v1.9.0, which agree</td>
 *     <td>pkg/controller.v1/tensorflow/tfjob_controller.go, pytorch/envvar.go, elastic.go, master.go</td></tr>
 * <tr><td>MXJob</td><td>training-operator v1.8.1, the last with it</td><td>pkg/controller.v1/mxnet/mxnet.go</td></tr>
 * <tr><td>MPIJob v1</td><td>training-operator v1.8.1 and v1.9.0, which agree</td>
 *     <td>pkg/controller.v1/mpi/mpijob_controller.go</td></tr>
 * <tr><td>MPIJob v2beta1</td><td>mpi-operator v0.8.0</td><td>pkg/controller/mpi_job_controller.go</td></tr>
 * </table>
 */
public final class OperatorEnv {
    /** Table of every generation of TfJob. */
    public static final OperatorEnv TFJOB_V1ALPHA1 =
            new OperatorEnv("TfJob", row("always", (spec, role) -> true, "TF_CONFIG"));

    /** Table of MxJob of both groups. */
    public static final OperatorEnv MXJOB_V1BETA1 = new OperatorEnv(
            "MxJob",
            row(
                    "jobMode: dist",
                    (spec, role) -> spec.says("jobMode", "dist"),
                    "DMLC_PS_ROOT_PORT",
                    "DMLC_PS_ROOT_URI",
                    "DMLC_NUM_SERVER",
                    "DMLC_NUM_WORKER",
                    "DMLC_ROLE"));

    /** Table of TrainingJob. */
    public static final OperatorEnv ET_V1ALPHA1 = new OperatorEnv(
            "TrainingJob",
            row(
                    "launcher, launcherAttachMode: kubexec",
                    (spec, role) -> role == RoleType.LAUNCHER && spec.says("launcherAttachMode", "kubexec"),
                    "OMPI_MCA_plm_rsh_agent"));

    /** Table of TFJob {@code kubeflow.org/v1}. A job of one replica counts as local, and gets no variables. */
    public static final OperatorEnv TFJOB_V1 = new OperatorEnv(
            "TFJob",
            row("not of one replica alone", (spec, role) -> spec.replicas("tfReplicaSpecs") != 1, "TF_CONFIG"));

    /** Table of PyTorchJob. */
    public static final OperatorEnv PYTORCHJOB_V1 = new OperatorEnv(
            "PyTorchJob",
            row("always", (spec, role) -> true, "PYTHONUNBUFFERED", "PET_NPROC_PER_NODE", "PET_NNODES"),
            row(
                    "with a Master",
                    (spec, role) -> spec.hasRole("pytorchReplicaSpecs", RoleType.MASTER),
                    "MASTER_PORT",
                    "PET_MASTER_PORT",
                    "MASTER_ADDR",
                    "PET_MASTER_ADDR",
                    "WORLD_SIZE",
                    "RANK",
                    "PET_NODE_RANK"),
            row(
                    "with elasticPolicy",
                    (spec, role) -> spec.has("elasticPolicy"),
                    "PET_RDZV_ENDPOINT",
                    "PET_RDZV_BACKEND"),
            row("elasticPolicy.maxRestarts", (spec, role) -> spec.elastic("maxRestarts"), "PET_MAX_RESTARTS"),
            row("elasticPolicy.rdzvId", (spec, role) -> spec.elastic("rdzvId"), "PET_RDZV_ID"),
            row("elasticPolicy.rdzvConf", (spec, role) -> spec.elastic("rdzvConf"), "PET_RDZV_CONF"),
            row("elasticPolicy.standalone", (spec, role) -> spec.elastic("standalone"), "PET_STANDALONE"));

    /** Table of MXJob {@code kubeflow.org/v1}. */
    public static final OperatorEnv MXJOB_V1 = new OperatorEnv(
            "MXJob",
            row(
                    "always",
                    (spec, role) -> true,
                    "MX_CONFIG",
                    "DMLC_PS_ROOT_PORT",
                    "DMLC_PS_ROOT_URI",
                    "DMLC_NUM_SERVER",
                    "DMLC_NUM_WORKER",
                    "DMLC_ROLE",
                    "DMLC_USE_KUBERNETES"),
            row("worker", (spec, role) -> role == RoleType.WORKER, "DMLC_WORKER_ID"));

    /**
     * Table of MPIJob {@code kubeflow.org/v1}. The operator does not overwrite the user's settings of Intel MPI's
     * bootstrap.
     */
    public static final OperatorEnv MPIJOB_V1 = new OperatorEnv(
            "MPIJob v1",
            row(
                    "launcher",
                    (spec, role) -> role == RoleType.LAUNCHER,
                    "OMPI_MCA_plm_rsh_agent",
                    "OMPI_MCA_orte_default_hostfile"),
            row(
                    "launcher without a limit whose name contains gpu",
                    (spec, role) -> role == RoleType.LAUNCHER && !spec.hasLimit("mpiReplicaSpecs", role, "gpu"),
                    "NVIDIA_VISIBLE_DEVICES",
                    "NVIDIA_DRIVER_CAPABILITIES"),
            row(
                    "launcher that does not set it",
                    (spec, role) -> unlessGiven(spec, role, "I_MPI_HYDRA_BOOTSTRAP"),
                    "I_MPI_HYDRA_BOOTSTRAP"),
            row(
                    "launcher that does not set it",
                    (spec, role) -> unlessGiven(spec, role, "I_MPI_HYDRA_BOOTSTRAP_EXEC"),
                    "I_MPI_HYDRA_BOOTSTRAP_EXEC"));

    /** Table of MPIJob {@code kubeflow.org/v2beta1}. */
    public static final OperatorEnv MPIJOB_V2BETA1 = new OperatorEnv(
            "MPIJob v2beta1",
            row("always", (spec, role) -> true, "K_MPI_JOB_ROLE"),
            row(
                    "launcher, mpiImplementation: OpenMPI",
                    (spec, role) -> implementation(spec, role, "OpenMPI"),
                    "OMPI_MCA_orte_keep_fqdn_hostnames",
                    "OMPI_MCA_orte_default_hostfile",
                    "OMPI_MCA_plm_rsh_args",
                    "OMPI_MCA_orte_set_default_slots"),
            row(
                    "launcher, mpiImplementation: Intel",
                    (spec, role) -> implementation(spec, role, "Intel"),
                    "I_MPI_HYDRA_HOST_FILE",
                    "I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS",
                    "I_MPI_PERHOST"),
            row(
                    "launcher, mpiImplementation: MPICH",
                    (spec, role) -> implementation(spec, role, "MPICH"),
                    "HYDRA_HOST_FILE",
                    "HYDRA_LAUNCH_EXTRA_ARGS"),
            row(
                    "launcher, not runLauncherAsWorker",
                    (spec, role) -> role == RoleType.LAUNCHER && !spec.says("runLauncherAsWorker", true),
                    "NVIDIA_VISIBLE_DEVICES",
                    "NVIDIA_DRIVER_CAPABILITIES"));

    /** Reason in the loss of a user's variable. */
    public static final String WHY = "the operator sets it";

    private final String resource;
    private final List<Row> rows;

    private OperatorEnv(String resource, Row... rows) {
        this.resource = resource;
        this.rows = List.of(rows);
    }

    /** Condition on a resource and role under which the operator sets the variables of a row. */
    private interface When {
        boolean holds(TolerantSpecReader spec, RoleType role);
    }

    /**
     * Variables that the operator sets under one condition.
     *
     * @param when the condition as text for people
     */
    private record Row(String when, When holds, List<String> variables) {
        @Override
        public String toString() {
            return when + ": " + String.join(", ", variables);
        }
    }

    private static Row row(String when, When holds, String... variables) {
        return new Row(when, holds, List.of(variables));
    }

    private static boolean implementation(TolerantSpecReader spec, RoleType role, String name) {
        boolean open = name.equals("OpenMPI") && !spec.has("mpiImplementation");
        return role == RoleType.LAUNCHER && (open || spec.says("mpiImplementation", name));
    }

    private static boolean unlessGiven(TolerantSpecReader spec, RoleType role, String variable) {
        return role == RoleType.LAUNCHER
                && !spec.variables("mpiReplicaSpecs", role).contains(variable);
    }

    /**
     * Returns the names of the variables that the operator sets in the pods of a role of a resource.
     *
     * @param spec spec of the resource, with its roles
     */
    public Set<String> sets(Map<?, ?> spec, RoleType role) {
        Set<String> set = new LinkedHashSet<>();
        rows.stream()
                .filter(row -> row.holds().holds(new TolerantSpecReader(spec), role))
                .forEach(row -> set.addAll(row.variables()));
        return set;
    }

    /** Returns the names of all variables that the operator sets under any condition. */
    public Set<String> all() {
        Set<String> all = new LinkedHashSet<>();
        rows.forEach(row -> all.addAll(row.variables()));
        return all;
    }

    /** Returns the tables of all operators. */
    public static List<OperatorEnv> values() {
        return List.of(
                TFJOB_V1ALPHA1,
                MXJOB_V1BETA1,
                ET_V1ALPHA1,
                TFJOB_V1,
                PYTORCHJOB_V1,
                MXJOB_V1,
                MPIJOB_V1,
                MPIJOB_V2BETA1);
    }

    /** Returns the kind of the resource and, for each row, a line with the condition and the variables. */
    @Override
    public String toString() {
        return resource + rows.stream().map(row -> "\n  " + row).collect(Collectors.joining());
    }
}
