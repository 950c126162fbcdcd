package dev.edl.elasticdl;

import static dev.edl.elasticdl.ElasticDlVersion.RELEASE_1_0;

import dev.edl.internal.text.ResourceAmountText;
import dev.edl.spec.Resources;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Subset of the resource grammar that both ElasticDL and Kubernetes accept. */
final class ElasticDlResources {
    // ElasticDL also accepts K, which Kubernetes rejects, and no amount without a unit.
    private static final Pattern BYTES = Pattern.compile("[1-9]\\d*([KMGTPE]i|[MGTPE])");
    // As Python's float and ElasticDL's regular expression accept it.
    private static final Pattern CORES = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?|[1-9]\\d*m");
    private static final Pattern PIECES = Pattern.compile("\\d+");
    private static final Pattern VENDOR = Pattern.compile("[A-Za-z\\d-]{0,63}(\\.[A-Za-z\\d-]{0,63})*/gpu");
    private static final List<String> BINARY = List.of("Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final List<String> DECIMAL = List.of("", "k", "M", "G", "T", "P", "E");

    private ElasticDlResources() {}

    /**
     * Passes each mistake in a text of resources to {@code problems}: each resource and amount that this version of
     * ElasticDL, or Kubernetes, does not accept.
     */
    static void check(ElasticDlVersion version, String text, Consumer<String> problems) {
        List<String> wrong = new ArrayList<>();
        ResourceAmountText.parse(text, wrong::add);
        wrong.forEach(problems);
        if (!wrong.isEmpty()) {
            return;
        }
        for (String part : text.split(",", -1)) {
            String name = part.substring(0, part.indexOf('=')).strip();
            String amount = part.substring(part.indexOf('=') + 1).strip();
            if (List.of("memory", "disk", "ephemeral-storage").contains(name)
                    && !BYTES.matcher(amount).matches()) {
                problems.accept(name + " must be a whole number of Ki Mi Gi Ti Pi Ei M G T P E, the form that"
                        + " ElasticDL and Kubernetes both accept, was \"" + amount + "\"; for example " + name
                        + "=2048Mi");
            } else if (name.equals("cpu") && !CORES.matcher(amount).matches()) {
                problems.accept(
                        "cpu must be a number of cores or millicores, the form that ElasticDL and Kubernetes both"
                                + " accept, was \"" + amount + "\"; for example cpu=500m");
            } else if ((name.equals("gpu") || name.contains("/"))
                    && !PIECES.matcher(amount).matches()) {
                problems.accept(
                        name + " must be a number in digits, the form that ElasticDL and Kubernetes both accept, was \""
                                + amount + "\"; for example " + name + "=1");
            } else if (name.contains("/") && !isKnown(version, name)) {
                problems.accept(name + " is not a resource of " + version
                        + ", which reads cpu, memory, ephemeral-storage," + " gpu"
                        + (version == RELEASE_1_0
                                ? ", <vendor>/gpu and names that begin with nvidia.com/"
                                : " and <vendor>/gpu"));
            }
        }
    }

    private static boolean isKnown(ElasticDlVersion version, String name) {
        return name.contains("gpu")
                ? VENDOR.matcher(name).matches()
                : version == RELEASE_1_0 && name.startsWith("nvidia.com/");
    }

    /**
     * Returns the text of resources, with amounts of bytes in a form that ElasticDL accepts. An amount without such a
     * form, like 1500 bytes, is written as Kubernetes reads it; {@link #check} reports it.
     */
    static String write(Resources resources) {
        return resources.amounts().entrySet().stream()
                .map(entry -> entry.getKey() + "="
                        + (entry.getKey().equals("memory") || entry.getKey().equals("ephemeral-storage")
                                ? bytes(resources.value(entry.getKey()).toBigIntegerExact(), entry.getValue())
                                : entry.getValue()))
                .collect(Collectors.joining(","));
    }

    private static String bytes(BigInteger bytes, String text) {
        if (BYTES.matcher(text).matches() || bytes.signum() == 0) {
            return text;
        }
        String binary = in(bytes, 1024, BINARY, 1);
        return binary.isEmpty() ? in(bytes, 1000, DECIMAL, 0) : binary;
    }

    /**
     * Returns the number of bytes with the largest unit that divides it; empty if no unit divides it.
     *
     * @param first power of {@code step} that the first of {@code units} stands for: 0 or 1
     */
    private static String in(BigInteger bytes, long step, List<String> units, int first) {
        BigInteger number = bytes;
        BigInteger factor = BigInteger.valueOf(step);
        int divided = 0;
        while (divided < units.size() - 1 + first && number.mod(factor).signum() == 0) {
            number = number.divide(factor);
            divided++;
        }
        return divided < first ? "" : number + units.get(divided - first);
    }
}
