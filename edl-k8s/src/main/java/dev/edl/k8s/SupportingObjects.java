package dev.edl.k8s;

import dev.edl.k8s.client.ConflictReasons;
import dev.edl.k8s.internal.record.JobRecord;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.Workload;
import dev.edl.k8s.render.internal.TokenSecret;
import dev.edl.k8s.spi.WorkerScalingProvider;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * Objects of a job other than its replicas: Services, accounts, configuration, PodGroup and TensorBoard. The job's record
 * owns them.
 */
final class SupportingObjects {
    private final KubernetesClient client;
    private final PodOptions options;

    SupportingObjects(KubernetesClient client, PodOptions options) {
        this.client = client;
        this.options = options;
    }

    /** Creates all supporting objects of a new job. */
    void create(JobPlan plan, JobRecord record) {
        PodOptions with = with(plan);
        of(plan, with, record)
                .forEach(object -> create(
                        object,
                        with != options || object.getMetadata().getName().equals(TokenSecret.name(plan))));
    }

    /**
     * Creates the missing objects. Reads an object only if its creation is forbidden (403), so a submitter needs no
     * permission to read objects.
     */
    void createMissing(JobPlan plan, JobRecord record) {
        of(plan, with(plan), record).forEach(object -> {
            try {
                client.resource(object).create();
            } catch (KubernetesClientException e) {
                // A quota may be exhausted although the object exists.
                if (!ConflictReasons.exists(e) && !(e.getCode() == HttpURLConnection.HTTP_FORBIDDEN && seen(object))) {
                    throw e;
                }
            }
        });
    }

    /** Returns whether a read finds the object; false also when the read fails. */
    private boolean seen(HasMetadata object) {
        try {
            return client.resource(object).get() != null;
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    private List<HasMetadata> of(JobPlan plan, PodOptions with, JobRecord record) {
        PodOptions owned = with.toBuilder().owner(record.object()).build();
        List<HasMetadata> objects =
                new ArrayList<>(Manifests.of(plan, owned, Workload.PODS).supportingObjects());
        PodTemplates pods = PodTemplates.of(plan, owned);
        if (TokenSecret.isNeeded(plan, role -> pods.get(role, 0, 0))) {
            byte[] token = new byte[TokenSecret.BYTES];
            new SecureRandom().nextBytes(token);
            objects.add(TokenSecret.create(plan, owned.ownerReference(), token));
        }
        return objects;
    }

    private PodOptions with(JobPlan plan) {
        return WorkerScalingProvider.of(plan).options(plan, options);
    }

    /**
     * Creates an object.
     *
     * @param keys whether the object, if it is a Secret, has generated keys or a token. If it exists already, as a 409
     *     shows without permission to read Secrets, it has the keys or token of this job and is kept
     */
    private void create(HasMetadata object, boolean keys) {
        try {
            client.resource(object).create();
        } catch (KubernetesClientException e) {
            boolean kept = keys && object instanceof Secret && ConflictReasons.exists(e);
            if (!kept && (e.getCode() != HttpURLConnection.HTTP_CONFLICT || !maybeThere(object))) {
                throw e;
            }
        }
    }

    /**
     * Returns whether an existing object of the same name may be used for this job. That is so for a cluster-scoped
     * object, such as a PriorityClass, which jobs share. It is also so for an object with the same owner, which an
     * earlier try of the same request has created.
     */
    private boolean maybeThere(HasMetadata object) {
        if (object.getMetadata().getNamespace() == null) {
            return true;
        }
        HasMetadata there;
        try {
            there = client.resource(object).get();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                // An account that may create need not be allowed to read: another program may own the object.
                return false;
            }
            throw e;
        }
        return there != null
                && there.getMetadata()
                        .getOwnerReferences()
                        .equals(object.getMetadata().getOwnerReferences());
    }
}
