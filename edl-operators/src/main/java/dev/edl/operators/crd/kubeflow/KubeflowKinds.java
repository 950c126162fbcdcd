package dev.edl.operators.crd.kubeflow;

import static java.util.stream.Collectors.toMap;

import dev.edl.operators.crd.internal.OperatorEnv;
import dev.edl.operators.crd.internal.PodTemplateConventions;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleType;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Kubeflow's kinds, each as a {@link KubeflowKind} constant. */
final class KubeflowKinds {
    private static final String V1 = "kubeflow.org/v1";

    static final KubeflowKind TENSORFLOW = new KubeflowKind(
            "TFJob",
            V1,
            "tfReplicaSpecs",
            Framework.TENSORFLOW,
            words(RoleType.CHIEF, RoleType.MASTER, RoleType.WORKER, RoleType.PS, RoleType.EVALUATOR),
            Map.of(),
            true,
            true,
            2222,
            pod("tensorflow", "tfjob-port"),
            OperatorEnv.TFJOB_V1);

    static final KubeflowKind PYTORCH = new KubeflowKind(
            "PyTorchJob",
            V1,
            "pytorchReplicaSpecs",
            Framework.PYTORCH,
            words(RoleType.MASTER, RoleType.WORKER),
            Map.of(RoleType.MASTER, "OnFailure", RoleType.WORKER, "OnFailure"),
            true,
            true,
            23456,
            pod("pytorch", "pytorchjob-port"),
            OperatorEnv.PYTORCHJOB_V1);

    static final KubeflowKind MXNET = new KubeflowKind(
            "MXJob",
            V1,
            "mxReplicaSpecs",
            Framework.MXNET,
            words(RoleType.SCHEDULER, RoleType.SERVER, RoleType.WORKER),
            Map.of(),
            true,
            true,
            9091,
            pod("mxnet", "mxjob-port"),
            OperatorEnv.MXJOB_V1);

    private KubeflowKinds() {}

    static KubeflowKind mpi(MpiJobVersion version) {
        boolean beta = version == MpiJobVersion.V2BETA1;
        return new KubeflowKind(
                "MPIJob",
                version.apiVersion(),
                "mpiReplicaSpecs",
                Framework.HOROVOD,
                words(RoleType.LAUNCHER, RoleType.WORKER),
                beta ? Map.of(RoleType.LAUNCHER, "OnFailure") : Map.of(),
                !beta,
                !beta,
                0,
                PodTemplateConventions.first("mpi"),
                beta ? OperatorEnv.MPIJOB_V2BETA1 : OperatorEnv.MPIJOB_V1);
    }

    private static PodTemplateConventions pod(String container, String port) {
        return new PodTemplateConventions(container, false, Optional.of(port), false, Set.of());
    }

    /** Returns the key of each role in a resource: the role's name capitalised, or {@code PS} for ps. */
    private static Map<RoleType, String> words(RoleType... types) {
        return Stream.of(types).collect(toMap(type -> type, KubeflowKinds::word, (a, b) -> a, TreeMap::new));
    }

    private static String word(RoleType type) {
        return type == RoleType.PS
                ? "PS"
                : type.id().substring(0, 1).toUpperCase(Locale.ROOT) + type.id().substring(1);
    }
}
