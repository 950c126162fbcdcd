package dev.edl.k8s;

import dev.edl.k8s.client.ConflictReasons;
import dev.edl.k8s.internal.record.JobRecord;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
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

/** The objects of a job that are no replicas: its Services, accounts, configuration, PodGroup and TensorBoard. Its record owns them. */
final class SupportingObjects {
    private final KubernetesClient client;
    private final PodOptions options;

    SupportingObjects(KubernetesClient client, PodOptions options) {
        this.client = client;
        this.options = options;
    }

    /** Makes all of them. */
    void create(JobPlan plan, JobRecord record) {
        PodOptions with = with(plan);
        of(plan, with, record)
                .forEach(object -> create(
                        object,
                        with != options || object.getMetadata().getName().equals(TokenSecret.name(plan))));
    }

    /** Creates the missing objects without reading any: a submitter needs no right to read them. */
    void createMissing(JobPlan plan, JobRecord record) {
        of(plan, with(plan), record).forEach(object -> {
            try {
                client.resource(object).create();
            } catch (KubernetesClientException e) {
                // Of one that is there, a quota may be used up.
                if (!ConflictReasons.exists(e) && !(e.getCode() == HttpURLConnection.HTTP_FORBIDDEN && seen(object))) {
                    throw e;
                }
            }
        });
    }

    /** Whether it is known to be there. */
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
        if (TokenSecret.isNeeded(plan, owned)) {
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
     * Makes an object.
     *
     * @param keys whether its Secret has keys or a token that were generated here: a Secret of that name that exists has the job's, and
     *     a 409 tells so without the right to read Secrets
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

    /** What all jobs share, as a PriorityClass, and what was made by a request that the client repeated, as its answer was lost. */
    private boolean maybeThere(HasMetadata object) {
        if (object.getMetadata().getNamespace() == null) {
            return true;
        }
        HasMetadata there;
        try {
            there = client.resource(object).get();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                // An account that may create need not be allowed to look: another program may own it.
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
