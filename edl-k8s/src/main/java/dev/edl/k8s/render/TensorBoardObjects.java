package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.DollarEscape;
import dev.edl.k8s.render.internal.PodRules;
import dev.edl.k8s.render.internal.RoleMounts;
import dev.edl.k8s.render.internal.profiles.ProfileRenderer;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.List;
import java.util.TreeMap;

/** Renders the Service and the Deployment of a {@link TensorBoard}. */
final class TensorBoardObjects {
    private static final int PORT = 6006;

    private final JobPlan plan;
    private final PodOptions options;
    private final TensorBoard board;
    private final ProfileRenderer renderer;

    TensorBoardObjects(JobPlan plan, PodOptions options, TensorBoard board) {
        this.renderer = options.renderer(plan);
        this.plan = plan;
        this.options = options;
        this.board = board;
    }

    List<HasMetadata> objects() {
        return List.of(service(), deployment());
    }

    private HasMetadata service() {
        return new ServiceBuilder()
                .withMetadata(metadata())
                .withNewSpec()
                .withType(board.serviceType())
                .withSelector(renderer.boardLabels())
                .addNewPort()
                .withName("tb-port")
                .withPort(TensorBoard.SERVICE_PORT)
                .withNewTargetPort(PORT)
                .endPort()
                .endSpec()
                .build();
    }

    private HasMetadata deployment() {
        return new DeploymentBuilder()
                .withMetadata(metadata())
                .withNewSpec()
                .withReplicas(1)
                .withNewSelector()
                .withMatchLabels(renderer.boardLabels())
                .endSelector()
                .withTemplate(pod())
                .endSpec()
                .build();
    }

    private PodTemplateSpec pod() {
        PodSettings settings = options.all();
        PodSecurity security = settings.security().orElse(PodSecurity.of(plan.profile()));
        RoleMounts mounts = new RoleMounts(board.volumes());
        board.mounted().forEach(mounted -> mounts.add(mounted.volume(), mounted.mount()));
        PodSpecBuilder spec = new PodSpecBuilder()
                .withContainers(RestrictedDefaults.container(security, container(mounts)))
                .withImagePullSecrets(settings.pulls())
                .withNodeSelector(new TreeMap<>(settings.nodeSelector()))
                .withTolerations(settings.tolerations())
                .withVolumes(mounts.volumes());
        settings.affinity().ifPresent(spec::withAffinity);
        if (!renderer.legacy()) {
            spec.withAutomountServiceAccountToken(false).withEnableServiceLinks(false);
        }
        RestrictedDefaults.pod(security, settings).ifPresent(spec::withSecurityContext);
        PodTemplateSpec pod = new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(renderer.boardLabels())
                .withAnnotations(plan.annotations())
                .endMetadata()
                .withSpec(spec.build())
                .build();
        List<String> mistakes = PodRules.mistakes(pod);
        if (!mistakes.isEmpty()) {
            throw new RenderException("job \"" + plan.name() + "\": TensorBoard: " + String.join("; ", mistakes));
        }
        return pod;
    }

    private Container container(RoleMounts mounts) {
        ContainerBuilder container = new ContainerBuilder()
                .withName(renderer.boardName())
                .withImage(image())
                .withCommand("tensorboard", "--logdir", DollarEscape.of(board.logDir()), "--host", "0.0.0.0")
                .addNewPort()
                .withContainerPort(PORT)
                .endPort()
                .withVolumeMounts(mounts.mounts());
        options.all().pullPolicy().ifPresent(container::withImagePullPolicy);
        return container.build();
    }

    private String image() {
        return board.image()
                .or(renderer::boardImage)
                .orElseThrow(() -> new RenderException("job \"" + plan.name() + "\": " + board
                        + " must have an image; for example image(\"tensorflow/tensorflow:2.15.0\")"));
    }

    private ObjectMeta metadata() {
        return new ObjectMetaBuilder()
                .withName(renderer.boardName())
                .withNamespace(plan.namespace())
                .withLabels(renderer.boardLabels())
                .withAnnotations(plan.annotations())
                .build();
    }
}
