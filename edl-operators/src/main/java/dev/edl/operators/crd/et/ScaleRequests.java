package dev.edl.operators.crd.et;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.OrderedMaps;
import dev.edl.operators.crd.internal.ResourceMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Conversion of scaling requests to and from et-operator's ScaleIn and ScaleOut.
 *
 * <pre>{@code
 * ResourceWriteResult written = ScaleRequests.write(ScaleRequest.out("elastic-training", 2));
 * ScaleRequestReadResult read = ScaleRequests.read(yaml);
 * handle.scale("worker", read.request().replicas(4));
 * }</pre>
 *
 * <p>Pure functions; thread-safe.
 */
public final class ScaleRequests {
    static final String IN = "ScaleIn";
    static final String OUT = "ScaleOut";

    private ScaleRequests() {}

    /**
     * Returns the definitions of ScaleIn and ScaleOut as et-operator installs them: default {@code timeout: 60}, and a
     * status subresource.
     */
    public static List<CustomResourceDefinition> definitions() {
        return List.of(EtDefinitions.scaleIn(), EtDefinitions.scaleOut());
    }

    /**
     * Writes a request as a ScaleIn or ScaleOut without a name, so that the API server generates one:
     * {@code generateName} is, for example, {@code elastic-training-scaleout-}. Create it with {@code kubectl create};
     * {@code kubectl apply} needs a name.
     */
    public static ResourceWriteResult write(ScaleRequest request) {
        String kind = request.change() > 0 ? OUT : IN;
        return write(
                request, kind, "generateName", request.job() + (request.change() > 0 ? "-scaleout-" : "-scalein-"));
    }

    /**
     * Writes a request as a ScaleIn or ScaleOut with a name.
     *
     * @param name name of the resource, a DNS subdomain
     */
    public static ResourceWriteResult write(ScaleRequest request, String name) {
        return write(request, request.change() > 0 ? OUT : IN, "name", name);
    }

    private static ResourceWriteResult write(ScaleRequest request, String kind, String key, String name) {
        ConversionReport report = new ConversionReport(kind, "");
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("selector", Map.of("name", request.job()));
        if (request.change() > 0) {
            spec.put("toAdd", Map.of("count", request.change()));
        } else if (request.pods().isEmpty()) {
            spec.put("toDelete", Map.of("count", -request.change()));
        } else {
            spec.put("toDelete", Map.of("podNames", request.pods()));
        }
        spec.put("timeout", seconds(request, report));
        Map<String, Object> object = ResourceMetadata.object(
                TrainingJobs.API_VERSION, kind, OrderedMaps.of(key, name, "namespace", request.namespace()));
        object.put("spec", spec);
        return new ResourceWriteResult(CustomObject.of(object), report.losses());
    }

    /**
     * Returns the request's timeout in whole seconds, rounded up and at most 32 bits; reports a loss if the value
     * differs.
     */
    private static long seconds(ScaleRequest request, ConversionReport report) {
        Duration timeout = request.timeout();
        long whole = Math.min(timeout.toSeconds(), Integer.MAX_VALUE);
        long written = Math.min(whole + (timeout.toNanosPart() > 0 ? 1 : 0), Integer.MAX_VALUE);
        if (!timeout.equals(Duration.ofSeconds(written))) {
            report.loss("timeout", timeout.toString(), "it is whole seconds there, " + written);
        }
        return written;
    }

    /**
     * Reads a ScaleIn or ScaleOut from YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException with every mistake: the text is not a ScaleIn or ScaleOut,
     *     has an unknown key, or breaks a rule of et-operator, then with that operator's message
     */
    public static ScaleRequestReadResult read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads a ScaleIn or ScaleOut; see {@link #read(String)}. */
    public static ScaleRequestReadResult read(CustomObject resource) {
        return new ScaleReader(resource).read();
    }
}
