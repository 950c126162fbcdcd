package dev.edl.operators.crd.internal;

import dev.edl.Job;
import dev.edl.operators.crd.CustomObject;
import dev.edl.spec.JobSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads and writes the version, kind and metadata that every Kubernetes object has. */
public final class ResourceMetadata {
    /** Top-level keys that an object may have. */
    public static final List<String> OBJECT = List.of("apiVersion", "kind", "metadata", "spec", "status");

    private static final List<String> SERVER = List.of(
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "selfLink",
            "clusterName",
            "managedFields");

    static final List<String> METADATA = List.of(
            "name",
            "namespace",
            "labels",
            "annotations",
            "generateName",
            "ownerReferences",
            "finalizers",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "selfLink",
            "clusterName",
            "managedFields");

    private static final Map<String, String> READERS = Map.ofEntries(
            Map.entry("mlkube.io/v1beta1 TfJob", "TfJobs"),
            Map.entry("tensorflow.org/v1alpha1 TfJob", "TfJobs"),
            Map.entry("tensorflow.org/v1alpha1 TFJob", "TfJobs"),
            Map.entry("kubeflow.org/v1alpha1 TFJob", "TfJobs"),
            Map.entry("kubeflow.org/v1 TFJob", "KubeflowTfJobs"),
            Map.entry("kubeflow.org/v1 PyTorchJob", "PyTorchJobs"),
            Map.entry("kubeflow.org/v1 MXJob", "KubeflowMxJobs"),
            Map.entry("kubeflow.org/v1 MPIJob", "MpiJobs"),
            Map.entry("kubeflow.org/v2beta1 MPIJob", "MpiJobs"),
            Map.entry("mlkube.io/v1beta1 MxJob", "MxJobs"),
            Map.entry("mxnet.mlkube.io/v1beta1 MxJob", "MxJobs"),
            Map.entry("kai.alibabacloud.com/v1alpha1 TrainingJob", "TrainingJobs"),
            Map.entry("kai.alibabacloud.com/v1alpha1 ScaleIn", "ScaleRequests"),
            Map.entry("kai.alibabacloud.com/v1alpha1 ScaleOut", "ScaleRequests"));

    private static final String APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    /** Annotation in which an executor stores the job from which it wrote the resource. */
    public static final String JOB = "edl.dev/job";

    /** Annotation that distinguishes the objects of one submit call from those of another. */
    public static final String SUBMISSION = "edl.dev/submission";

    /**
     * Annotation with the digest of the job that a controller created for the resource, by which it recognises that
     * job.
     */
    public static final String DIGEST = "edl.dev/job-digest";

    private ResourceMetadata() {}

    /** Returns the simple name of the class that reads resources of this version and kind; empty when no class does. */
    public static String reader(CustomObject resource) {
        return READERS.getOrDefault(resource.apiVersion() + " " + resource.kind(), "");
    }

    /**
     * Returns the kinds that some classes read, sorted, such as {@code TFJob of kubeflow.org/v1}.
     *
     * @param readers simple names of these classes
     */
    public static List<String> kinds(Set<String> readers) {
        return READERS.entrySet().stream()
                .filter(entry -> readers.contains(entry.getValue()))
                .map(entry -> entry.getKey().replaceFirst("(\\S+) (\\S+)", "$2 of $1"))
                .sorted()
                .toList();
    }

    /**
     * Rejects a resource of another kind.
     *
     * @param wanted the required apiVersion and kind
     * @throws dev.edl.operators.crd.InvalidResourceException when the resource has another; the message has the actual
     *     kind and, if EDL reads that kind, the class that does
     */
    public static void refuse(CustomObject resource, String wanted, ConversionReport report) {
        String reader = reader(resource);
        report.mistake("apiVersion and kind must be " + wanted + ", were " + shown(resource, "apiVersion") + " and "
                + shown(resource, "kind") + (reader.isEmpty() ? "" : ", which " + reader + " reads"));
        report.refuseMistakes();
    }

    private static String shown(CustomObject resource, String key) {
        Object value = resource.fields().get(key);
        return value == null ? "missing" : CustomObjectFieldReader.shown(value);
    }

    /** Returns an object with a job's metadata and without a spec. */
    public static Map<String, Object> write(Job job, String apiVersion, String kind) {
        Map<String, Object> metadata = OrderedMaps.of("name", job.name(), "namespace", job.namespace());
        put(metadata, "labels", job.spec().labels());
        put(metadata, "annotations", job.spec().annotations());
        return object(apiVersion, kind, metadata);
    }

    /** Returns an object with this metadata and without a spec. */
    public static Map<String, Object> object(String apiVersion, String kind, Map<String, Object> metadata) {
        Map<String, Object> object = OrderedMaps.of("apiVersion", apiVersion, "kind", kind);
        object.put("metadata", metadata);
        return object;
    }

    /** Puts a sorted copy of a map under a key, unless the map is empty. */
    static void put(Map<String, Object> into, String key, Map<String, String> map) {
        if (!map.isEmpty()) {
            into.put(key, new TreeMap<>(map));
        }
    }

    /** Reads an object's metadata into a job, and reports fields that only the cluster sets as lost. */
    public static void read(CustomObjectFieldReader object, JobSpec.Builder spec) {
        object.fields("metadata", METADATA).ifPresent(metadata -> {
            metadata.filled("name").ifPresentOrElse(spec::name, () -> nameless(metadata, spec));
            metadata.filled("namespace").ifPresent(spec::namespace);
            spec.labels(metadata.texts("labels"));
            spec.annotations(annotations(metadata));
            server(metadata);
        });
        if (!object.has("metadata")) {
            object.wrong("metadata", "is missing; for example metadata: {name: test-mnist}");
        }
        object.lose("the operator writes it; a job has no status", "status");
    }

    /**
     * Reads the namespace from the metadata of an object that is not a job, such as a ScaleIn. Reports its labels and
     * annotations, and fields that the cluster or operator sets, as lost.
     *
     * @return namespace of the object; empty when absent
     */
    public static Optional<String> unnamed(CustomObjectFieldReader object) {
        Optional<CustomObjectFieldReader> metadata = object.fields("metadata", METADATA);
        metadata.ifPresent(fields -> {
            fields.lose("a request has no labels of its own", "labels", "annotations");
            cluster(fields);
            fields.lose("the operator sets it", "ownerReferences", "finalizers");
        });
        return metadata.flatMap(fields -> fields.filled("namespace"));
    }

    private static void nameless(CustomObjectFieldReader metadata, JobSpec.Builder spec) {
        if (CustomObjectFieldReader.saysNothing(metadata.raw("name"))) {
            metadata.wrong(
                    "name",
                    metadata.has("generateName")
                            ? "is missing; a job has a name of its own and cannot take one from generateName"
                            : "is missing; for example name: test-mnist");
        }
        spec.name("unnamed");
    }

    private static Map<String, String> annotations(CustomObjectFieldReader metadata) {
        Map<String, String> annotations = new TreeMap<>(metadata.texts("annotations"));
        String applied = annotations.remove(APPLIED);
        if (applied != null) {
            metadata.report().loss(metadata.at("annotations." + APPLIED), applied, "kubectl uses it for apply");
        }
        // An executor stores the job here, so it is not lost; here the resource's own fields apply.
        annotations.remove(JOB);
        annotations.remove(SUBMISSION);
        annotations.remove(DIGEST);
        return annotations;
    }

    /** Reports metadata that only the cluster sets as lost. */
    static void server(CustomObjectFieldReader metadata) {
        cluster(metadata);
        if (metadata.has("name")) {
            metadata.lose("the name counts", "generateName");
        }
        metadata.lose("a job has no owner", "ownerReferences", "finalizers");
    }

    /** Reports what the cluster sets in any object as lost. Its numbers have 64 bits. */
    private static void cluster(CustomObjectFieldReader metadata) {
        checkNumbers(metadata);
        metadata.lose("the cluster sets it", SERVER.toArray(String[]::new));
    }

    /** Adds a mistake for each number of the metadata that does not fit its 64 bits. */
    static void checkNumbers(CustomObjectFieldReader metadata) {
        metadata.wholeLong("generation", number -> {});
        metadata.wholeLong("deletionGracePeriodSeconds", number -> {});
    }
}
