package dev.edl.k8s.internal.runs;

import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.TensorBoard;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.util.Optional;

/**
 * Address of a job's TensorBoard outside the cluster: a path of the API server's proxy, so the Service needs no node
 * port.
 */
public final class TensorBoardAddress {
    private TensorBoardAddress() {}

    /** Returns the address; empty when the options have no TensorBoard. */
    public static Optional<URI> of(KubernetesClient client, JobPlan plan, PodOptions options) {
        return options.tensorBoard()
                .map(board -> client.getMasterUrl() + "api/v1/namespaces/" + plan.namespace() + "/services/"
                        + board.serviceName(plan) + ":" + TensorBoard.SERVICE_PORT + "/proxy/")
                .map(URI::create);
    }
}
