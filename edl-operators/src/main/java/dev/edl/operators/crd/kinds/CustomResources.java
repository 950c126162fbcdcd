package dev.edl.operators.crd.kinds;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.et.TrainingJobs;
import dev.edl.operators.crd.internal.ResourceMetadata;
import dev.edl.operators.crd.kubeflow.KubeflowMxJobs;
import dev.edl.operators.crd.kubeflow.KubeflowTfJobs;
import dev.edl.operators.crd.kubeflow.MpiJobs;
import dev.edl.operators.crd.kubeflow.PyTorchJobs;
import dev.edl.operators.crd.mxjob.MxJobs;
import dev.edl.operators.crd.tfjob.TfJobs;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Reader of jobs from any supported custom resource, by its apiVersion and kind.
 *
 * <pre>{@code
 * JobReadResult result = CustomResources.read(Files.readString(Path.of("mnist.yaml")));
 * result.job();       // the job that the resource specifies
 * result.losses();    // settings that a job cannot express
 * }</pre>
 *
 * <p>Pure functions; thread-safe.
 */
public final class CustomResources {
    /**
     * Reader of each kind, by the simple name of its class, which {@link ResourceMetadata#reader} returns for a
     * resource.
     */
    private static final Map<String, Function<CustomObject, JobReadResult>> READERS = Map.of(
            "TfJobs", TfJobs::read,
            "KubeflowTfJobs", KubeflowTfJobs::read,
            "PyTorchJobs", PyTorchJobs::read,
            "KubeflowMxJobs", KubeflowMxJobs::read,
            "MpiJobs", MpiJobs::read,
            "MxJobs", MxJobs::read,
            "TrainingJobs", TrainingJobs::read);

    private CustomResources() {}

    /** Returns the kinds that {@link #read} supports, sorted, such as {@code MPIJob of kubeflow.org/v1}. */
    public static List<String> kinds() {
        return ResourceMetadata.kinds(READERS.keySet());
    }

    /**
     * Reads a job from YAML or JSON.
     *
     * @throws InvalidResourceException with every mistake: the text is of an unsupported kind, or the reader of its
     *     kind rejects it
     */
    public static JobReadResult read(String yaml) {
        return read(CustomObject.fromYaml(Objects.requireNonNull(yaml, "yaml")));
    }

    /** Reads a job; see {@link #read(String)}. */
    public static JobReadResult read(CustomObject resource) {
        Function<CustomObject, JobReadResult> reader = READERS.get(ResourceMetadata.reader(resource));
        if (reader == null) {
            String name = resource.name().isEmpty() ? "" : " \"" + resource.name() + "\"";
            throw new InvalidResourceException(
                    resource.kind().isEmpty() ? "resource" : resource.kind() + name, List.of(mistake(resource)));
        }
        return reader.apply(resource);
    }

    private static String mistake(CustomObject resource) {
        String known = "; known are " + String.join(", ", kinds());
        if (resource.apiVersion().isEmpty() || resource.kind().isEmpty()) {
            return "apiVersion and kind must be those of a custom resource, were \"" + resource.apiVersion()
                    + "\" and \""
                    + resource.kind() + "\""
                    + (resource.fields().containsKey("roles") ? "; Job.fromYaml reads a job of EDL" : "")
                    + known;
        }
        if (resource.fields().containsKey("items")) {
            return "is a list of resources, not a job; read each of its items; CustomObject.allFromYaml reads them"
                    + " from a text";
        }
        if (ResourceMetadata.reader(resource).equals("ScaleRequests")) {
            return "is a request to scale a TrainingJob, not a job; read it by"
                    + " dev.edl.operators.crd.et.ScaleRequests.read";
        }
        if (resource.apiVersion().startsWith("kueue.x-k8s.io/")) {
            return "is an object of Kueue and not a job; a job has its queue in label kueue.x-k8s.io/queue-name, and"
                    + " dev.edl.k8s.preflight.Preflight.ofQueues checks it against queues";
        }
        if (resource.kind().equals("TrainJob") && resource.apiVersion().startsWith("trainer.kubeflow.org/")) {
            return "is not read, as the pods of a TrainJob are described by the runtime in its cluster (spec.runtimeRef); compose the"
                    + " job from spec.trainer, for example Job.named(\""
                    + (resource.name().isEmpty() ? "mnist" : resource.name())
                    + "\").pytorch().image(image).command(command).workers(numNodes)";
        }
        return "apiVersion and kind must be those of a custom resource that EDL reads, were " + resource.apiVersion()
                + " and " + resource.kind() + known;
    }
}
