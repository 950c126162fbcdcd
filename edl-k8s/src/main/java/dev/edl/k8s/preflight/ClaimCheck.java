package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.FieldPaths;
import dev.edl.k8s.preflight.internal.LookupResult;
import dev.edl.k8s.preflight.internal.PodSet;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Checks that PersistentVolumeClaims exist, are or will be bound, and can be mounted by as many pods as mount them. */
final class ClaimCheck {
    private static final String WAIT = "WaitForFirstConsumer";

    private final CheckContext context;
    private final String name;
    private final List<PodSet> podSets;
    private final String where;
    private final String what;

    private ClaimCheck(CheckContext context, String name, List<PodSet> podSets) {
        this.context = context;
        this.name = name;
        this.podSets = podSets;
        this.where = FieldPaths.of(podSets, "volume");
        this.what = "PersistentVolumeClaim \"" + name + "\"";
    }

    static void check(CheckContext context) {
        Map<String, List<PodSet>> named = new TreeMap<>();
        for (PodSet podSet : context.groups()) {
            for (Volume volume : podSet.pod().getSpec().getVolumes()) {
                if (volume.getPersistentVolumeClaim() != null) {
                    named.computeIfAbsent(volume.getPersistentVolumeClaim().getClaimName(), claim -> new ArrayList<>())
                            .add(podSet);
                }
            }
        }
        named.forEach((name, podSets) -> new ClaimCheck(context, name, podSets).check());
    }

    private void check() {
        LookupResult<PersistentVolumeClaim> seen = context.lookUp(
                ProblemTopic.CLAIM,
                where,
                what,
                "get persistentvolumeclaims",
                () -> context.client()
                        .persistentVolumeClaims()
                        .inNamespace(context.namespace())
                        .withName(name)
                        .get());
        if (seen.absent()) {
            context.findings()
                    .error(
                            ProblemTopic.CLAIM,
                            where,
                            what + " is missing",
                            "a pod whose claim does not exist is not scheduled",
                            ProblemFix.creating(
                                    "create it with the size that the job needs"
                                            + (pods() > 1 ? " and a storage class that supports ReadWriteMany" : ""),
                                    claim(pods() > 1 ? "ReadWriteMany" : "ReadWriteOnce")));
        }
        seen.ifPresent(claim -> {
            if (claim.getMetadata().getDeletionTimestamp() != null) {
                error(
                        "is being deleted",
                        "a pod whose claim is being deleted is not scheduled",
                        "create it again" + " once it is gone");
            } else {
                bound(claim);
                modes(claim);
            }
        });
    }

    private String claim(String mode) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{\"name\":\"" + name
                + "\",\"namespace\":\"" + context.namespace() + "\"},\"spec\":{\"accessModes\":[\"" + mode
                + "\"],\"resources\":{\"requests\":{\"storage\":\"10Gi\"}}}}";
    }

    private int pods() {
        return podSets.stream().mapToInt(PodSet::start).sum();
    }

    private void bound(PersistentVolumeClaim claim) {
        String phase = claim.getStatus() == null ? "Pending" : claim.getStatus().getPhase();
        if ("Lost".equals(phase)) {
            error("has lost its volume", "pods cannot mount it", "delete it and create it again");
        } else if (!"Bound".equals(phase) && !bindsLater(claim)) {
            warn(
                    "is not bound to a volume",
                    "pods wait until it is",
                    "give it a volume, or a storage class that provisions one; see kubectl describe pvc " + name
                            + " --namespace " + context.namespace());
        }
    }

    /** Returns whether the claim's volume is provisioned or chosen only when a pod uses the claim. */
    private boolean bindsLater(PersistentVolumeClaim claim) {
        String storageClass = claim.getSpec().getStorageClassName();
        if (storageClass == null || storageClass.isEmpty()) {
            return false;
        }
        LookupResult<StorageClass> seen = context.lookUp(
                ProblemTopic.CLAIM,
                where,
                "StorageClass \"" + storageClass + "\"",
                "get storageclasses",
                () -> context.client()
                        .storage()
                        .v1()
                        .storageClasses()
                        .withName(storageClass)
                        .get());
        return !seen.known()
                || seen.value()
                        .filter(it -> WAIT.equals(it.getVolumeBindingMode()))
                        .isPresent();
    }

    private void modes(PersistentVolumeClaim claim) {
        List<String> modes = claim.getSpec().getAccessModes();
        boolean many = modes.contains("ReadWriteMany") || (modes.contains("ReadOnlyMany") && !isWritten());
        if (many || pods() < 2) {
            if (pods() > 0 && modes.equals(List.of("ReadOnlyMany")) && isWritten()) {
                warn(
                        "supports only read-only mounts (ReadOnlyMany), but the job mounts it for writing",
                        "most volume types then fail to mount",
                        "set read_only=true in the volume, or use a claim with ReadWriteMany");
            }
        } else if (modes.contains("ReadWriteOncePod") && modes.size() == 1) {
            error(
                    "can be mounted by one pod only (ReadWriteOncePod), but " + pods() + " pods of the job mount it",
                    "the second pod is not scheduled",
                    "use a claim with ReadWriteMany, or mount it in one role of one replica");
        } else {
            warn(
                    "can be mounted for writing on one node only (" + String.join(", ", modes) + "), but " + pods()
                            + " pods of the job mount it",
                    "pods on other nodes wait, or fail to mount it",
                    "use a claim with ReadWriteMany, or bind the pods to one node: PodOptions.nodeSelector");
        }
    }

    private boolean isWritten() {
        return podSets.stream()
                .flatMap(podSet -> podSet.pod().getSpec().getVolumes().stream())
                .filter(volume -> volume.getPersistentVolumeClaim() != null
                        && volume.getPersistentVolumeClaim().getClaimName().equals(name))
                .anyMatch(volume ->
                        !Boolean.TRUE.equals(volume.getPersistentVolumeClaim().getReadOnly()));
    }

    private void error(String finding, String why, String fix) {
        context.findings().error(ProblemTopic.CLAIM, where, what + " " + finding, why, ProblemFix.of(fix));
    }

    private void warn(String finding, String why, String fix) {
        context.findings().warning(ProblemTopic.CLAIM, where, what + " " + finding, why, ProblemFix.of(fix));
    }
}
