package dev.edl.k8s.render.internal.profiles;

import dev.edl.env.HorovodHosts;
import dev.edl.k8s.render.internal.PodAdditions;
import dev.edl.k8s.render.internal.ReplicaServices;
import dev.edl.k8s.render.internal.TokenSecret;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Renders profile ELASTICDL: ElasticDL's names for pods that EDL drives. */
record ElasticDlRenderer(JobPlan plan) implements ProfileRenderer {
    private static final String HOSTS = "edl-hosts";
    private static final String DIRECTORY = "/etc/edl";
    private static final int EXECUTABLE = 0555;

    @Override
    public Optional<String> mistake(RolePlan role) {
        return TokenSecret.mistake(plan, role);
    }

    @Override
    public boolean legacy() {
        return false;
    }

    @Override
    public String namePrefix() {
        return "elasticdl-" + plan.name();
    }

    @Override
    public String container(RolePlan role) {
        return plan.framework().id();
    }

    @Override
    public Optional<String> port() {
        return Optional.of("edl");
    }

    @Override
    public String restartPolicy(RolePlan role) {
        return "Never";
    }

    /** A launcher reaches each worker by the hosts in its files. */
    @Override
    public List<Endpoint> endpointsWithService() {
        List<Endpoint> named = AddressedReplicas.of(plan);
        return hosts()
                ? Stream.concat(named.stream(), plan.endpoints(plan.role(RoleType.WORKER.id())).stream())
                        .distinct()
                        .toList()
                : named;
    }

    @Override
    public Service service(Endpoint endpoint, Map<String, String> selector) {
        return ReplicaServices.headless(plan, endpoint, ProfileRenderer.labels(plan, endpoint), selector, "edl", true);
    }

    /** The files that the launcher's arguments name. Changed hosts change the ConfigMap. */
    @Override
    public List<HasMetadata> profileObjects() {
        if (!hosts()) {
            return List.of();
        }
        Map<String, String> files = new TreeMap<>();
        files.put("hostfile", HorovodHosts.of(plan).lines());
        files.put("discover_hosts.sh", HorovodHosts.script(DIRECTORY + "/hostfile"));
        return List.of(new ConfigMapBuilder()
                .withNewMetadata()
                .withName(namePrefix() + "-hosts")
                .withNamespace(plan.namespace())
                .withLabels(plan.selector())
                .withAnnotations(plan.annotations())
                .endMetadata()
                .withData(files)
                .build());
    }

    @Override
    public void customizePod(RolePlan role, String index, PodTemplateSpec pod) {
        TokenSecret.mount(plan, role, pod);
        if (hosts() && role.type() == RoleType.LAUNCHER) {
            PodAdditions.mount(
                    pod,
                    new VolumeBuilder()
                            .withName(HOSTS)
                            .withNewConfigMap()
                            .withName(namePrefix() + "-hosts")
                            .withDefaultMode(EXECUTABLE)
                            .endConfigMap()
                            .build(),
                    new VolumeMountBuilder()
                            .withName(HOSTS)
                            .withMountPath(DIRECTORY)
                            .withReadOnly(true)
                            .build());
        }
    }

    private boolean hosts() {
        return plan.framework() == Framework.HOROVOD
                && plan.role(RoleType.LAUNCHER).isPresent()
                && plan.role(RoleType.WORKER).isPresent();
    }

    @Override
    public String boardName() {
        return "tensorboard-" + plan.name();
    }

    @Override
    public Map<String, String> boardLabels() {
        Map<String, String> labels = new TreeMap<>(plan.selector());
        labels.put("elasticdl-replica-type", "tensorboard");
        return labels;
    }
}
