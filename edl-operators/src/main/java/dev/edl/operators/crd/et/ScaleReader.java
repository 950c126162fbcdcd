package dev.edl.operators.crd.et;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.CustomObjectFieldReader;
import dev.edl.operators.crd.internal.ResourceMetadata;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads a ScaleIn or ScaleOut, with the rules and messages of et-operator. */
final class ScaleReader {
    private static final List<String> IN = List.of("selector", "toDelete", "script", "timeout", "env", "backoffLimit");
    private static final List<String> OUT = List.of("selector", "toAdd", "script", "timeout", "env", "backoffLimit");
    private static final String ONE_OF_TWO =
            ".spec.toDelete.count or .spec.toDelete.podNames, only one of them should be set";

    private final CustomObject resource;
    private final ConversionReport report;

    ScaleReader(CustomObject resource) {
        this.resource = resource;
        this.report = new ConversionReport(resource.kind(), resource.name());
    }

    ScaleRequestReadResult read() {
        boolean in = resource.kind().equals(ScaleRequests.IN);
        if (!(in || resource.kind().equals(ScaleRequests.OUT))
                || !resource.apiVersion().equals(TrainingJobs.API_VERSION)) {
            ResourceMetadata.refuse(resource, TrainingJobs.API_VERSION + " and ScaleIn or ScaleOut", report);
        }
        CustomObjectFieldReader object = CustomObjectFieldReader.of(resource, report, ResourceMetadata.OBJECT);
        Optional<CustomObjectFieldReader> spec = object.fields("spec", in ? IN : OUT);
        if (spec.isEmpty()) {
            object.wrong("spec", "is missing");
        }
        Optional<ScaleRequest> request = spec.flatMap(fields -> in ? in(fields) : out(fields));
        Optional<String> namespace = ResourceMetadata.unnamed(object);
        object.lose("the operator writes it; a request has no status", "status");
        spec.ifPresent(fields -> fields.lose("a request runs no script of its own", "script", "env"));
        spec.ifPresent(fields -> fields.loseWhole("the operator does not use it", "backoffLimit"));
        long[] timeout = {ScaleRequest.TIMEOUT.toSeconds()};
        spec.ifPresent(fields -> fields.whole("timeout", seconds -> {
            timeout[0] = Math.max(1, seconds);
            if (seconds < 1) {
                fields.lose("a request waits for at least 1 second; it is read as 1", "timeout");
            }
        }));
        report.refuseMistakes();
        ScaleRequest read =
                request.orElseThrow().namespace(namespace.orElse("default")).timeout(Duration.ofSeconds(timeout[0]));
        return new ScaleRequestReadResult(read, report.losses());
    }

    private Optional<ScaleRequest> out(CustomObjectFieldReader spec) {
        String job = job(spec);
        int[] count = {0};
        Optional<CustomObjectFieldReader> add = spec.fields("toAdd", List.of("count"));
        add.ifPresent(fields -> fields.whole("count", number -> count[0] = number));
        if (add.filter(fields -> fields.has("count")).isEmpty()) {
            report.mistake(".spec.toAdd.count shouldn't be empty");
        } else if (count[0] <= 0) {
            report.mistake(".spec.toAdd.count shouldn be greater than 0");
        }
        return count[0] > 0 ? Optional.of(ScaleRequest.out(job, count[0])) : Optional.empty();
    }

    /**
     * Reads the request of a ScaleIn. Named pods take precedence over a number. Rejects an empty list of names, which
     * would make et-operator delete all workers.
     */
    private Optional<ScaleRequest> in(CustomObjectFieldReader spec) {
        String job = job(spec);
        Optional<CustomObjectFieldReader> delete = spec.fields("toDelete", List.of("count", "podNames"));
        List<String> pods = delete.map(fields -> fields.words("podNames")).orElse(List.of());
        int[] count = {0};
        delete.ifPresent(fields -> fields.whole("count", number -> count[0] = number));
        if (!pods.isEmpty()) {
            delete.ifPresent(fields -> fields.lose("the named pods count", "count"));
            return named(job, pods);
        }
        if (count[0] <= 0 || delete.filter(fields -> fields.has("podNames")).isPresent()) {
            report.mistake(ONE_OF_TWO);
            return Optional.empty();
        }
        return Optional.of(ScaleRequest.in(job, count[0]));
    }

    private Optional<ScaleRequest> named(String job, List<String> pods) {
        try {
            return Optional.of(ScaleRequest.in(job, pods));
        } catch (IllegalArgumentException e) {
            report.mistake("spec.toDelete.podNames: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static String job(CustomObjectFieldReader spec) {
        Optional<String> name = spec.fields("selector", List.of("name")).flatMap(selector -> selector.filled("name"));
        if (name.isEmpty()) {
            spec.wrong("selector.name", "is missing; it is the name of the TrainingJob");
        }
        return name.orElse("");
    }
}
