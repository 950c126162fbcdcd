package dev.edl.k8s.internal.record;

import dev.edl.Job;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Content of a job's record. Immutable.
 *
 * @param map the record's ConfigMap
 */
public record StoredJob(ConfigMap map) {
    /** Label of every record, with the job's name. */
    static final String LABEL = "edl.dev/record";

    static final String JOB = "job.yaml";
    static final String PROFILE = "profile";
    static final String DRIVER = "driver";
    static final String PHASE = "phase";
    static final String STATE = "state.gz";
    static final String REQUESTS = "requests";
    static final String REFUSALS = "refused-requests";

    /** Number of the last refusals that the record keeps with their reasons. */
    private static final int REASONS_KEPT = 10;

    /** Number of the last refusals that the record keeps. */
    private static final int REFUSALS_KEPT = 100;

    private static final String WITHOUT_REASON = "the driver refused the request, and at least " + REASONS_KEPT
            + " later ones; the record has only the reasons of the last " + REASONS_KEPT;

    /** Returns the jobs of a namespace, sorted by name. */
    public static List<StoredJob> list(KubernetesClient client, String namespace) {
        return client.configMaps().inNamespace(namespace).withLabel(LABEL).list().getItems().stream()
                .map(StoredJob::new)
                .sorted(Comparator.comparing(StoredJob::name))
                .toList();
    }

    /**
     * Adds a request for the job's driver to the record of a job.
     *
     * @throws KubernetesClientException when the driver writes so often that no write of this program succeeds
     */
    public static void request(ClusterApi api, String job, JobRequest request) {
        for (int attempt = 1; ; attempt++) {
            ConfigMap found =
                    api.configMap(JobRecord.nameOf(job)).orElseThrow(() -> JobRecord.missing(api.namespace(), job));
            StoredJob stored = new StoredJob(found);
            if (stored.requests().contains(request)) {
                return;
            }
            try {
                api.replaceConfigMap(stored.requesting(request));
                return;
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == JobRecord.TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Returns the job's name. */
    public String name() {
        return map.getMetadata().getName().substring(JobRecord.nameOf("").length());
    }

    /** Returns the requests of other programs that the job's driver has not answered, oldest first. */
    public List<JobRequest> requests() {
        return JobRequest.parse(text(REQUESTS));
    }

    /** Returns why the driver refused a request; empty if it did not. */
    public Optional<String> refusal(JobRequest request) {
        return text(REFUSALS)
                .lines()
                .filter(line -> line.startsWith(request.id() + " "))
                .findFirst()
                .map(line -> line.substring(request.id().length() + 1));
    }

    /** Returns the record's ConfigMap with another request. */
    ConfigMap requesting(JobRequest request) {
        return new ConfigMapBuilder(map)
                .addToData(REQUESTS, text(REQUESTS) + request + "\n")
                .build();
    }

    /** Returns the record's ConfigMap without some requests. */
    ConfigMap without(Collection<JobRequest> answered) {
        String left = requests().stream()
                .filter(request -> !answered.contains(request))
                .map(request -> request + "\n")
                .collect(Collectors.joining());
        return left.isEmpty()
                ? new ConfigMapBuilder(map).removeFromData(REQUESTS).build()
                : new ConfigMapBuilder(map).addToData(REQUESTS, left).build();
    }

    /** Returns the record's ConfigMap with a refusal in place of the request. Earlier refusals lose their reasons. */
    ConfigMap refusing(JobRequest request, String why) {
        List<String> refusals = Stream.concat(
                        text(REFUSALS).lines(), Stream.of(request.id() + " " + why.replace('\n', ' ')))
                .toList();
        int reasons = refusals.size() - REASONS_KEPT;
        String kept = IntStream.range(Math.max(0, refusals.size() - REFUSALS_KEPT), refusals.size())
                .mapToObj(
                        i -> i < reasons ? refusals.get(i).replaceFirst(" .*", " " + WITHOUT_REASON) : refusals.get(i))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
        return new ConfigMapBuilder(without(List.of(request)))
                .addToData(REFUSALS, kept)
                .build();
    }

    /** Returns the time of the record's last write; empty when the API server does not report it. */
    public Optional<Instant> writtenAt() {
        return Optional.ofNullable(map.getMetadata().getManagedFields()).orElse(List.of()).stream()
                .map(ManagedFieldsEntry::getTime)
                .filter(Objects::nonNull)
                .map(Instant::parse)
                .max(Comparator.naturalOrder());
    }

    /**
     * Checks the owner of the job.
     *
     * @throws IllegalArgumentException when it belongs to another owner
     */
    public void checkOwner(OwnerReference owner) {
        List<OwnerReference> owners =
                Optional.ofNullable(map.getMetadata().getOwnerReferences()).orElse(List.of());
        if (owners.stream().noneMatch(one -> one.getUid().equals(owner.getUid()))) {
            String of = owners.isEmpty()
                    ? "no other object"
                    : owners.get(0).getKind() + " " + owners.get(0).getName() + " with uid "
                            + owners.get(0).getUid();
            throw new IllegalArgumentException("ConfigMap " + map.getMetadata().getName() + " of namespace "
                    + map.getMetadata().getNamespace() + " stores a job that belongs to " + of + ", not to "
                    + owner.getKind() + " " + owner.getName() + " with uid " + owner.getUid()
                    + "; delete that job, or rename one of them");
        }
    }

    /** Returns the digest of the job that the record stores now. */
    public String digest() {
        return RecordDigest.of(text(PROFILE), text(JOB));
    }

    /**
     * Checks that the record stores the job that was handed over.
     *
     * @throws IllegalArgumentException when it stores another job
     */
    public void checkDigest(String expected) {
        if (!digest().equals(expected)) {
            String name = map.getMetadata().getName();
            throw new IllegalArgumentException("ConfigMap " + name + " of namespace "
                    + map.getMetadata().getNamespace() + " stores another job than the one handed over: its"
                    + " digest is "
                    + digest() + ", and must be " + expected + "; the job in it is not run. kubectl delete configmap "
                    + name + " removes it with its pods");
        }
    }

    /**
     * Returns the job's owner, driver and digest for messages: {@code of TFJob mnist, driven by 1b4e28ba-…, with digest
     * sha256:…}.
     */
    public String whose() {
        List<OwnerReference> owners =
                Optional.ofNullable(map.getMetadata().getOwnerReferences()).orElse(List.of());
        return (owners.isEmpty()
                        ? "of no other object"
                        : "of " + owners.get(0).getKind() + " " + owners.get(0).getName())
                + ", driven by " + driverToken() + ", with digest " + digest();
    }

    /**
     * Checks that the record stores the requested job. Write access to ConfigMaps is not permission to create pods: a
     * job is not run only because a record has it.
     *
     * @param asked the caller's own plan of the job
     * @param digest digest of another job that the record may also store; empty for none
     * @throws IllegalArgumentException when it stores another job
     */
    public void checkJob(JobPlan asked, String digest) {
        String kept = digest();
        if (!kept.equals(digest) && !keeps(asked)) {
            String name = map.getMetadata().getName();
            throw new IllegalArgumentException("ConfigMap " + name + " of namespace "
                    + map.getMetadata().getNamespace() + " stores another job than \"" + asked.name()
                    + "\" was created with: its digest is " + kept + ", and must be "
                    + (digest.isEmpty() ? JobRecord.digest(asked) : digest)
                    + "; the job in it is not run. kubectl delete configmap " + name
                    + " removes it with its pods, and the job starts from the beginning");
        }
    }

    /**
     * Returns whether the record stores the requested job. Compares the jobs, not their texts, because another version
     * of EDL may write the text differently.
     */
    private boolean keeps(JobPlan asked) {
        if (!text(PROFILE).equals(asked.profile().name())) {
            return false;
        }
        try {
            return Job.fromYaml(text(JOB)).toYaml().equals(Job.of(asked.spec()).toYaml());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private String text(String key) {
        return map.getData() == null ? "" : map.getData().getOrDefault(key, "");
    }

    /** Returns the submitted job, with its plan of that time. */
    public JobPlan plan() {
        return Job.fromYaml(entry(map.getData(), JOB)).plan(Profile.valueOf(entry(map.getData(), PROFILE)));
    }

    /** Returns the state that the job's driver wrote last. */
    public JobState state() {
        String packed = entry(map.getBinaryData(), STATE);
        try {
            return StatePacker.unpack(packed);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "ConfigMap " + map.getMetadata().getName() + " of namespace "
                            + map.getMetadata().getNamespace() + ", " + STATE + ": " + e.getMessage(),
                    e);
        }
    }

    private String entry(Map<String, String> data, String key) {
        String value = data == null ? null : data.get(key);
        if (value == null) {
            throw new IllegalStateException("ConfigMap " + map.getMetadata().getName() + " of namespace "
                    + map.getMetadata().getNamespace() + " has no " + key + "; it is not the record of a job");
        }
        return value;
    }

    /** Returns the token of the job's driver. */
    public String driverToken() {
        return entry(map.getData(), DRIVER);
    }
}
