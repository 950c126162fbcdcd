package dev.edl.k8s.render.internal.profiles;

import dev.edl.k8s.render.internal.DollarEscape;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;

/**
 * Init container that delays a PyTorchJob's workers until their master's name resolves. A worker that starts earlier
 * finds no master and gives up.
 */
final class PyTorchWaitContainer {
    private static final int TRIES = 100;
    private static final int SECONDS = 2;

    /** Non-root user, because hardened pods do not run as the image's root; name resolution needs no permissions. */
    private static final long NOBODY = 65_534;

    private PyTorchWaitContainer() {}

    static void add(PodTemplateSpec pod, String master) {
        List<Container> first = new ArrayList<>(pod.getSpec().getInitContainers());
        first.add(new ContainerBuilder()
                .withName("init-pytorch")
                .withImage("alpine:3.10")
                .withImagePullPolicy("IfNotPresent")
                .withCommand(
                        "sh",
                        "-c",
                        DollarEscape.of("for try in $(seq " + TRIES + "); do nslookup " + master
                                + " && exit 0; echo waiting for " + master + "; sleep " + SECONDS + "; done; exit 1"))
                .withNewResources()
                .addToRequests("cpu", new Quantity("50m"))
                .addToRequests("memory", new Quantity("10Mi"))
                .addToLimits("cpu", new Quantity("100m"))
                .addToLimits("memory", new Quantity("20Mi"))
                .endResources()
                .withNewSecurityContext()
                .withRunAsUser(NOBODY)
                .endSecurityContext()
                .build());
        pod.getSpec().setInitContainers(first);
    }
}
