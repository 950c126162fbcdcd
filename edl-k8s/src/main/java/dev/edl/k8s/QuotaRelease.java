package dev.edl.k8s;

import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.internal.pods.KueueGroup;
import dev.edl.k8s.internal.record.JobRecord;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/** Returns the quota of a job to its queue before the job is deleted. */
final class QuotaRelease {
    private QuotaRelease() {}

    /**
     * Ends the group of a job's pods, if Kueue admits them. Does nothing if the account may not read the job or change
     * its pods: it may still delete the job, and Kueue then keeps the pods and their quota.
     */
    static void of(KubernetesClient client, ClusterApi api, String job) {
        try {
            JobRecord.find(api, job)
                    .map(JobRecord::plan)
                    .ifPresent(plan -> KueueGroup.finish(
                            api,
                            client.pods()
                                    .inNamespace(plan.namespace())
                                    .withLabels(plan.selector())
                                    .list()
                                    .getItems()));
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw e;
            }
        }
    }
}
