package dev.edl.k8s.render.internal;

import dev.edl.plan.Profile;
import dev.edl.plan.ReplicaPlan;
import dev.edl.plan.RolePlan;
import io.fabric8.kubernetes.api.model.EnvVar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Order of a container's environment variables. By default they are sorted by name. Under other systems' profiles the
 * user's variables come first, in their given order, then the framework's variables in those systems' order.
 */
public final class EnvOrder {
    private static final List<String> OPERATORS = List.of(
            "TF_CONFIG",
            "MX_CONFIG",
            "DMLC_PS_ROOT_PORT",
            "DMLC_PS_ROOT_URI",
            "DMLC_NUM_SERVER",
            "DMLC_NUM_WORKER",
            "DMLC_ROLE",
            "DMLC_USE_KUBERNETES",
            "DMLC_WORKER_ID",
            "PYTHONUNBUFFERED",
            "MASTER_PORT",
            "PET_MASTER_PORT",
            "MASTER_ADDR",
            "PET_MASTER_ADDR",
            "WORLD_SIZE",
            "RANK",
            "PET_NODE_RANK",
            "PET_NPROC_PER_NODE",
            "PET_RDZV_ENDPOINT",
            "PET_RDZV_BACKEND",
            "PET_NNODES",
            "PET_MAX_RESTARTS",
            "PET_RDZV_ID",
            "PET_RDZV_CONF",
            "OMPI_MCA_plm_rsh_agent",
            "OMPI_MCA_orte_default_hostfile",
            "NVIDIA_VISIBLE_DEVICES",
            "NVIDIA_DRIVER_CAPABILITIES",
            "I_MPI_HYDRA_BOOTSTRAP",
            "I_MPI_HYDRA_BOOTSTRAP_EXEC");

    private EnvOrder() {}

    /** Returns the index before the framework's first variable, where the operators add other variables. */
    public static int beforeFramework(List<EnvVar> env) {
        for (int at = 0; at < env.size(); at++) {
            if (OPERATORS.contains(env.get(at).getName())) {
                return at;
            }
        }
        return env.size();
    }

    static Map<String, String> of(Profile profile, RolePlan role, ReplicaPlan replica) {
        if (profile == Profile.ELASTICDL) {
            return replica.env();
        }
        Map<String, String> rest = new LinkedHashMap<>(replica.env());
        Map<String, String> framework = new LinkedHashMap<>();
        OPERATORS.stream().filter(rest::containsKey).forEach(name -> framework.put(name, rest.getOrDefault(name, "")));
        rest.keySet().removeAll(framework.keySet());
        Map<String, String> ordered = new LinkedHashMap<>();
        List<String> names = new ArrayList<>(role.template().env().keySet());
        names.addAll(rest.keySet());
        names.stream()
                .filter(rest::containsKey)
                .forEach(name -> ordered.putIfAbsent(name, rest.getOrDefault(name, "")));
        ordered.putAll(framework);
        return ordered;
    }
}
