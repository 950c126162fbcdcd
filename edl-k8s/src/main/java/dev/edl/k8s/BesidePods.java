package dev.edl.k8s;

import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.Workload;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;

/** The objects of a job that are no replicas: its Services, accounts, configuration, PodGroup and TensorBoard. Its record owns them. */
final class BesidePods {
    private final KubernetesClient client;
    private final PodOptions options;

    BesidePods(KubernetesClient client, PodOptions options) {
        this.client = client;
        this.options = options;
    }

    /** Makes all of them. */
    void make(JobPlan plan, JobRecord record) {
        of(plan, record).forEach(this::make);
    }

    /** Makes those that are not there; without reading any, which who submits need not be allowed to. */
    void makeMissing(JobPlan plan, JobRecord record) {
        of(plan, record).forEach(object -> {
            try {
                client.resource(object).create();
            } catch (KubernetesClientException e) {
                // Of one that is there, a quota may be used up.
                if (!Conflicts.exists(e) && !(e.getCode() == HttpURLConnection.HTTP_FORBIDDEN && seen(object))) {
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

    private List<HasMetadata> of(JobPlan plan, JobRecord record) {
        PodOptions owned = withKeys(plan).toBuilder().owner(record.object()).build();
        return Manifests.of(plan, owned, Workload.PODS).besideReplicas();
    }

    /** A launcher that reaches its workers by ssh needs keys, of which its pods do not start without. */
    private PodOptions withKeys(JobPlan plan) {
        boolean given = options.besidePods().containsKey("sshKeys")
                || options.besidePods().containsKey("kubexec");
        if (!EtScaling.concerns(plan)
                || given
                || client.secrets()
                                .inNamespace(plan.namespace())
                                .withName(plan.name())
                                .get()
                        != null) {
            return options;
        }
        return options.toBuilder().sshKeys(EtKeys.generate()).build();
    }

    private void make(HasMetadata object) {
        try {
            client.resource(object).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || !maybeThere(object)) {
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
                // Who may create need not be allowed to look: it may be somebody else's.
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
