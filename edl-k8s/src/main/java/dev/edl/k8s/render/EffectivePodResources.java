package dev.edl.k8s.render;

import dev.edl.internal.text.ResourceQuantity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Effective requests and limits of a pod, as the scheduler and quotas count them. They are the sum of its containers,
 * or its largest init container if that is more; sidecar init containers count as containers.
 *
 * <p>Keys are resource names. Values are cores for cpu, bytes for memory and storage, and counts for devices.
 *
 * @see <a
 *     href="https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers">
 *     Kubernetes: resource sharing within containers</a>
 */
public final class EffectivePodResources {
    private static final BigInteger KIBI = BigInteger.valueOf(1024);

    private EffectivePodResources() {}

    /** Returns the requests of a pod with its overhead; empty when it requests nothing. */
    public static Map<String, BigDecimal> requests(PodSpec pod) {
        Map<String, BigDecimal> requests = of(pod, EffectivePodResources::requests);
        amounts(pod.getOverhead()).forEach((name, amount) -> requests.merge(name, amount, BigDecimal::add));
        return requests;
    }

    /** Returns the limits of a pod with its overhead. A missing resource has no limit, whatever its overhead. */
    public static Map<String, BigDecimal> limits(PodSpec pod) {
        Map<String, BigDecimal> limits = of(pod, EffectivePodResources::limits);
        amounts(pod.getOverhead())
                .forEach((name, amount) -> limits.computeIfPresent(
                        name, (resource, limit) -> limit.signum() == 0 ? limit : limit.add(amount)));
        return limits;
    }

    /** Returns the requests of a container. For a resource without a request, its limit counts. */
    public static Map<String, BigDecimal> requests(Container container) {
        Map<String, BigDecimal> amounts = limits(container);
        if (container.getResources() != null) {
            amounts.putAll(amounts(container.getResources().getRequests()));
        }
        return amounts;
    }

    /** Returns the limits of a container. */
    public static Map<String, BigDecimal> limits(Container container) {
        return container.getResources() == null
                ? new TreeMap<>()
                : amounts(container.getResources().getLimits());
    }

    /** Returns quantities as numbers; an empty map for null. */
    public static Map<String, BigDecimal> amounts(@Nullable Map<String, Quantity> quantities) {
        Map<String, BigDecimal> amounts = new TreeMap<>();
        if (quantities != null) {
            quantities.forEach((name, quantity) -> amounts.put(name, number(quantity)));
        }
        return amounts;
    }

    /** Returns a quantity as a number. The client's own conversion has only 16 digits, fewer than {@code 1Ei} needs. */
    private static BigDecimal number(Quantity quantity) {
        return ResourceQuantity.number(quantity.toString()).orElseGet(quantity::getNumericalAmount);
    }

    /** Returns an amount as a Kubernetes quantity: {@code 3}, {@code 1500m}, {@code 4Gi}. */
    public static String text(BigDecimal amount) {
        return amount.stripTrailingZeros().scale() <= 0
                ? bytes(amount)
                : amount.movePointRight(3).stripTrailingZeros().toPlainString() + "m";
    }

    private static String bytes(BigDecimal amount) {
        String[] units = {"", "Ki", "Mi", "Gi", "Ti"};
        BigInteger rest = amount.toBigIntegerExact();
        int unit = 0;
        // A smaller number counts cores, pods or devices.
        boolean large = rest.bitLength() > 20;
        while (large && rest.mod(KIBI).signum() == 0 && unit < units.length - 1) {
            rest = rest.divide(KIBI);
            unit++;
        }
        return rest + units[unit];
    }

    /** Returns the init containers of a pod, then its containers. */
    public static Stream<Container> containers(PodSpec pod) {
        return Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream());
    }

    private static Map<String, BigDecimal> of(PodSpec pod, Function<Container, Map<String, BigDecimal>> of) {
        Map<String, BigDecimal> staying = new TreeMap<>();
        Map<String, BigDecimal> most = new TreeMap<>();
        for (Container init : pod.getInitContainers()) {
            if ("Always".equals(init.getRestartPolicy())) {
                of.apply(init).forEach((name, amount) -> staying.merge(name, amount, BigDecimal::add));
                staying.forEach((name, amount) -> most.merge(name, amount, BigDecimal::max));
            } else {
                Map<String, BigDecimal> beside = new TreeMap<>(staying);
                of.apply(init).forEach((name, amount) -> beside.merge(name, amount, BigDecimal::add));
                beside.forEach((name, amount) -> most.merge(name, amount, BigDecimal::max));
            }
        }
        pod.getContainers()
                .forEach(container ->
                        of.apply(container).forEach((name, amount) -> staying.merge(name, amount, BigDecimal::add)));
        staying.forEach((name, amount) -> most.merge(name, amount, BigDecimal::max));
        return most;
    }
}
