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
 * Requests of scaling as et-operator's ScaleIn and ScaleOut, and back.
 *
 * <pre>{@code
 * Written written = ScaleRequests.write(ScaleRequest.out("elastic-training", 2));
 * ScaleReadResult reading = ScaleRequests.read(yaml);
 * handle.scale("worker", reading.request().replicas(4));
 * }</pre>
 *
 * <p>Pure functions; safe for use by several threads.
 */
public final class ScaleRequests {
    static final String IN = "ScaleIn";
    static final String OUT = "ScaleOut";

    private ScaleRequests() {}

    /** The kinds ScaleIn and ScaleOut as et-operator installs them: with the default {@code timeout: 60}, their status apart. */
    public static List<CustomResourceDefinition> definitions() {
        return List.of(EtDefinitions.scaleIn(), EtDefinitions.scaleOut());
    }

    /**
     * Writes a request whose name the cluster chooses: {@code elastic-training-scaleout-} and five characters; so it is
     * created ({@code kubectl create}) and not applied.
     */
    public static ResourceWriteResult write(ScaleRequest request) {
        String kind = request.change() > 0 ? OUT : IN;
        return write(
                request, kind, "generateName", request.job() + (request.change() > 0 ? "-scaleout-" : "-scalein-"));
    }

    /**
     * Writes a request.
     *
     * @param name of the resource, a DNS subdomain
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

    /** Whole seconds, rounded up, within 32 bits. */
    private static long seconds(ScaleRequest request, ConversionReport report) {
        Duration timeout = request.timeout();
        long seconds = timeout.toSeconds() + (timeout.toNanosPart() > 0 ? 1 : 0);
        long written = Math.min(seconds, Integer.MAX_VALUE);
        if (!timeout.equals(Duration.ofSeconds(written))) {
            report.loss("timeout", timeout.toString(), "it is whole seconds there, " + written);
        }
        return written;
    }

    /**
     * Reads a request from YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the text is no ScaleIn or ScaleOut, has an unknown key, or is
     *     one that the operator refuses, then with the operator's own words; with every mistake
     */
    public static ScaleReadResult read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads a request; see {@link #read(String)}. */
    public static ScaleReadResult read(CustomObject resource) {
        return new ScaleReader(resource).read();
    }
}
