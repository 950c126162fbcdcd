package dev.edl.operators.crd.kubeflow;

import static java.util.stream.Collectors.toMap;

import dev.edl.Framework;
import dev.edl.RoleType;
import dev.edl.operators.crd.internal.PodForm;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Kubeflow's kinds. */
final class Roles {
    private static final String V1 = "kubeflow.org/v1";
    private static final Set<String> PYTORCH_ENV =
            Set.of("PYTHONUNBUFFERED", "MASTER_PORT", "MASTER_ADDR", "WORLD_SIZE", "RANK");
    private static final Set<String> MXNET_ENV = Set.of(
            "MX_CONFIG",
            "DMLC_PS_ROOT_PORT",
            "DMLC_PS_ROOT_URI",
            "DMLC_NUM_SERVER",
            "DMLC_NUM_WORKER",
            "DMLC_ROLE",
            "DMLC_USE_KUBERNETES",
            "DMLC_WORKER_ID");
    private static final Set<String> MPI_ENV = Set.of(
            "K_MPI_JOB_ROLE",
            "OMPI_MCA_orte_keep_fqdn_hostnames",
            "OMPI_MCA_orte_default_hostfile",
            "OMPI_MCA_orte_set_default_slots",
            "OMPI_MCA_plm_rsh_args",
            "OMPI_MCA_plm_rsh_agent");

    static final Kind TENSORFLOW = new Kind(
            "TFJob",
            V1,
            "tfReplicaSpecs",
            Framework.TENSORFLOW,
            words(RoleType.CHIEF, RoleType.MASTER, RoleType.WORKER, RoleType.PS, RoleType.EVALUATOR),
            Map.of(),
            true,
            true,
            2222,
            pod("tensorflow", "tfjob-port", "TF_CONFIG"::equals));

    static final Kind PYTORCH = new Kind(
            "PyTorchJob",
            V1,
            "pytorchReplicaSpecs",
            Framework.PYTORCH,
            words(RoleType.MASTER, RoleType.WORKER),
            Map.of(RoleType.MASTER, "OnFailure", RoleType.WORKER, "OnFailure"),
            true,
            true,
            23456,
            pod("pytorch", "pytorchjob-port", name -> PYTORCH_ENV.contains(name) || name.startsWith("PET_")));

    static final Kind MXNET = new Kind(
            "MXJob",
            V1,
            "mxReplicaSpecs",
            Framework.MXNET,
            words(RoleType.SCHEDULER, RoleType.SERVER, RoleType.WORKER),
            Map.of(),
            true,
            true,
            9091,
            pod("mxnet", "mxjob-port", MXNET_ENV::contains));

    private Roles() {}

    static Kind mpi(MpiJobVersion version) {
        boolean beta = version == MpiJobVersion.V2BETA1;
        return new Kind(
                "MPIJob",
                version.apiVersion(),
                "mpiReplicaSpecs",
                Framework.HOROVOD,
                words(RoleType.LAUNCHER, RoleType.WORKER),
                beta ? Map.of(RoleType.LAUNCHER, "OnFailure") : Map.of(),
                !beta,
                !beta,
                0,
                mpiPod("mpi"));
    }

    /** Without a container of the name, the first one runs the launcher. */
    static PodForm mpiPod(String container) {
        return new PodForm(container, true, Optional.empty(), false, MPI_ENV::contains);
    }

    private static PodForm pod(String container, String port, Predicate<String> overwritten) {
        return new PodForm(container, false, Optional.of(port), false, overwritten);
    }

    /** {@code Worker} for worker, and {@code PS} for ps. */
    private static Map<RoleType, String> words(RoleType... types) {
        return Stream.of(types).collect(toMap(type -> type, Roles::word, (a, b) -> a, TreeMap::new));
    }

    private static String word(RoleType type) {
        return type == RoleType.PS
                ? "PS"
                : type.id().substring(0, 1).toUpperCase(Locale.ROOT) + type.id().substring(1);
    }
}
