package dev.edl.spec;

import dev.edl.internal.text.MessageText;
import dev.edl.internal.text.ResourceAmountText;
import dev.edl.internal.text.ResourceQuantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Amounts of named resources, in Kubernetes' units.
 *
 * <pre>{@code
 * Resources.parse("cpu=0.5,memory=2048Mi,gpu=1");      // ElasticDL's grammar, strictly
 * Resources.of().cpu(0.5).memory("2048Mi").gpu(1);     // the same
 * }</pre>
 *
 * <table><caption>Names and amounts</caption>
 * <tr><th>name</th><th>amount</th></tr>
 * <tr><td>{@code cpu}</td><td>cores or millicores, such as {@code 2}, {@code 0.5} and {@code 500m}; rounded up to
 *     thousandths</td></tr>
 * <tr><td>{@code memory}, {@code ephemeral-storage} (also {@code disk})</td><td>bytes, such as {@code 2048Mi} and
 *     {@code 1.5Gi} (also {@code K}); rounded up to whole bytes</td></tr>
 * <tr><td>{@code gpu}</td><td>a whole number of {@code nvidia.com/gpu}</td></tr>
 * <tr><td>{@code domain/name}, such as {@code amd.com/gpu}</td><td>a whole number of that extended resource</td></tr>
 * </table>
 *
 * <p>An amount is any Kubernetes quantity from 0 to below {@code 8Ei}: a decimal number with an optional suffix.
 * Suffixes are {@code Ki Mi Gi Ti Pi Ei}, {@code k M G T P E}, {@code m u n} and an exponent such as {@code e3}.
 * Amounts are rounded as Kubernetes rounds them. A request of 0 requests nothing, even if there is a limit; without a
 * request, the limit is the request.
 *
 * <p><b>One value, one text.</b> Each amount is stored in its shortest exact form, so that equal amounts are equal and
 * print alike. {@code 0.5} becomes {@code 500m} and {@code 2048Mi} becomes {@code 2Gi}, as the Kubernetes API server
 * shows them. {@code K}, which Kubernetes does not accept, becomes {@code k}. The order is cpu, memory,
 * ephemeral-storage, then the rest by name. {@link #toString} writes ElasticDL's grammar and parses back to an equal
 * value. Immutable; safe for use by several threads.
 *
 * @param amounts resource name to amount: {@code cpu -> 2}, {@code memory -> 2Gi}, {@code nvidia.com/gpu -> 1}
 */
public record Resources(Map<String, String> amounts) {
    private static final List<String> NATIVE = List.of("cpu", "memory", "ephemeral-storage");
    private static final Comparator<String> ORDER = Comparator.comparingInt(
                    (String name) -> NATIVE.contains(name) ? NATIVE.indexOf(name) : NATIVE.size())
            .thenComparing(Comparator.naturalOrder());
    private static final Pattern OTHER_DEVICE = Pattern.compile("nvidia\\.com/mig-.+|google\\.com/tpu|habana\\.ai/gaudi"
            + "|aws\\.amazon\\.com/neuron(core|device)?|huawei\\.com/Ascend.*|cambricon\\.com/mlu.*");
    private static final Pattern PART_OF_DEVICE = Pattern.compile("mem|core|percent|tile|monitor");
    private static final Resources NONE = new Resources(Map.of());

    /**
     * Checks each name and amount and normalizes them.
     *
     * @throws IllegalArgumentException with every mistake, separated by semicolons
     */
    public Resources {
        List<Map.Entry<String, String>> given = List.copyOf(amounts.entrySet());
        amounts = sorted(strictly(problems -> ResourceAmountText.read(given, problems)));
    }

    private static Map<String, String> sorted(Map<String, String> amounts) {
        Map<String, String> sorted = new LinkedHashMap<>();
        amounts.keySet().stream().sorted(ORDER).forEach(name -> sorted.put(name, amounts.getOrDefault(name, "")));
        return Collections.unmodifiableMap(sorted);
    }

    /** Returns an empty set of resources, to which {@link #cpu}, {@link #memory} and similar methods add amounts. */
    public static Resources of() {
        return NONE;
    }

    /**
     * Parses ElasticDL's grammar: {@code name=amount}, separated by commas, each name once.
     *
     * @throws IllegalArgumentException with every mistake, separated by semicolons
     */
    public static Resources parse(String text) {
        return new Resources(strictly(problems -> ResourceAmountText.parse(text, problems)));
    }

    private static Map<String, String> strictly(Function<Consumer<String>, Map<String, String>> read) {
        List<String> problems = new ArrayList<>();
        Map<String, String> amounts = read.apply(problems::add);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return amounts;
    }

    /**
     * Returns a copy of these resources with this amount of CPU.
     *
     * @param cores number of cores, at least 0; rounded up to thousandths
     * @throws IllegalArgumentException for a negative or infinite number, NaN, or 8Ei and more
     */
    public Resources cpu(double cores) {
        return with("cpu", MessageText.decimal(cores));
    }

    /**
     * Returns a copy of these resources with this amount of memory.
     *
     * @param amount number of bytes, with an optional suffix, such as {@code 2048Mi}
     * @throws IllegalArgumentException when the text is not an amount of bytes
     */
    public Resources memory(String amount) {
        return with("memory", amount);
    }

    /**
     * Returns a copy of these resources with this amount of ephemeral storage.
     *
     * @param amount number of bytes, with an optional suffix, such as {@code 10Gi}
     * @throws IllegalArgumentException when the text is not an amount of bytes
     */
    public Resources disk(String amount) {
        return with("disk", amount);
    }

    /**
     * Returns a copy of these resources with this number of NVIDIA GPUs.
     *
     * @param count number of GPUs, at least 0
     * @throws IllegalArgumentException for a negative number
     */
    public Resources gpu(int count) {
        return with("gpu", Integer.toString(count));
    }

    /**
     * Returns a copy of these resources with this number of another device.
     *
     * @param name name of the extended resource, such as {@code amd.com/gpu}
     * @param count number of devices, at least 0
     * @throws IllegalArgumentException for an invalid name or a negative number
     */
    public Resources gpu(String name, int count) {
        return with(name, Integer.toString(count));
    }

    private Resources with(String name, String amount) {
        return new Resources(Map.of(name, amount)).over(this);
    }

    /**
     * Returns the amounts of both. For a name that both have, the amount of this object replaces that of {@code base}.
     */
    public Resources over(Resources base) {
        Map<String, String> merged = new HashMap<>(base.amounts);
        merged.putAll(amounts);
        return new Resources(merged);
    }

    /**
     * Returns the amount of a resource in cores, bytes or pieces; 0 when it is absent.
     *
     * @param name Kubernetes' name, such as {@code cpu} or {@code nvidia.com/gpu}
     */
    public BigDecimal value(String name) {
        return Optional.ofNullable(amounts.get(name))
                .map(text -> ResourceQuantity.parse(name, name, text).value())
                .orElse(BigDecimal.ZERO);
    }

    /**
     * Returns the number of compute devices of all kinds, see {@link #isDevice}. On a replica that requests them,
     * PyTorch and Horovod start one process for each device.
     */
    public int devices() {
        return amounts.keySet().stream()
                .filter(Resources::isDevice)
                .map(this::value)
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .min(BigDecimal.valueOf(Integer.MAX_VALUE))
                .intValue();
    }

    /**
     * Returns whether a resource counts compute devices:
     *
     * <ul>
     *   <li>its name contains {@code gpu}: {@code nvidia.com/gpu}, {@code amd.com/gpu}, {@code gpu.intel.com/xe}; each
     *       share of {@code nvidia.com/gpu.shared} counts as a device;
     *   <li>it is a MIG slice of a GPU, {@code nvidia.com/mig-1g.5gb}; each slice counts as a device, since a process
     *       computes on one slice alone;
     *   <li>it is {@code google.com/tpu}, {@code habana.ai/gaudi}, or {@code aws.amazon.com/neuron} with its
     *       {@code neuroncore} and {@code neurondevice};
     *   <li>it begins with {@code huawei.com/Ascend} or {@code cambricon.com/mlu}.
     * </ul>
     *
     * <p>A resource that measures a part of a device does not count. The part of its name behind the slash contains
     * {@code mem}, {@code core}, {@code percent}, {@code tile} or {@code monitor}, as in {@code nvidia.com/gpumem} and
     * {@code gpu.intel.com/millicores}.
     */
    public static boolean isDevice(String resource) {
        String name = resource.substring(resource.indexOf('/') + 1);
        return OTHER_DEVICE.matcher(resource).matches()
                || (resource.contains("/")
                        && resource.toLowerCase(Locale.ROOT).contains("gpu")
                        && !PART_OF_DEVICE.matcher(name).find());
    }

    /**
     * Returns the text that {@link #parse} reads, such as {@code cpu=2,memory=2Gi,nvidia.com/gpu=1}; empty for no
     * resources.
     */
    @Override
    public String toString() {
        return amounts.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
    }
}
