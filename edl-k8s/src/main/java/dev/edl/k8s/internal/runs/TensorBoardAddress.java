package dev.edl.k8s.internal.runs;

import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.TensorBoard;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.util.Optional;

/** Where a job's TensorBoard is seen from outside of the cluster, without a port of a node: through the API server. */
public final class TensorBoardAddress {
    private TensorBoardAddress() {}

    /** Empty when the options have none. */
    public static Optional<URI> of(KubernetesClient client, JobPlan plan, PodOptions options) {
        return options.tensorBoard()
                .map(board -> client.getMasterUrl() + "api/v1/namespaces/" + plan.namespace() + "/services/"
                        + board.serviceName(plan) + ":" + TensorBoard.SERVICE_PORT + "/proxy/")
                .map(URI::create);
    }
}
