package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.PodSet;
import dev.edl.k8s.render.EffectivePodResources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.LimitRangeItem;
import io.fabric8.kubernetes.api.model.LimitRangeList;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks that the requests and limits of pods and containers are within the namespace's LimitRanges. */
final class LimitRangeCheck {
    private final PodSet podSet;
    private final List<String> broken = new ArrayList<>();
    private final List<String> say = new ArrayList<>();

    private LimitRangeCheck(PodSet podSet) {
        this.podSet = podSet;
    }

    static List<LimitRange> read(CheckContext context) {
        return context.lookUp(
                        ProblemTopic.LIMIT_RANGE,
                        "request",
                        "LimitRanges of namespace \"" + context.namespace() + "\"",
                        "list limitranges",
                        () -> context.client()
                                .limitRanges()
                                .inNamespace(context.namespace())
                                .list())
                .value()
                .map(LimitRangeList::getItems)
                .orElse(List.of());
    }

    static void check(CheckContext context, List<LimitRange> ranges) {
        for (LimitRange range : ranges) {
            context.groups().forEach(podSet -> new LimitRangeCheck(podSet).check(context, range));
        }
    }

    private void check(CheckContext context, LimitRange range) {
        // Unlike quotas and the scheduler, LimitRanges do not count the overhead of a runtime class.
        PodSpec pod = new PodSpecBuilder(podSet.admitted().getSpec())
                .withOverhead(Map.of())
                .build();
        for (LimitRangeItem item : range.getSpec().getLimits()) {
            if ("Pod".equals(item.getType())) {
                compare("the pod", item, EffectivePodResources.requests(pod), EffectivePodResources.limits(pod));
            } else if ("Container".equals(item.getType())) {
                for (Container container : EffectivePodResources.containers(pod).toList()) {
                    compare(
                            "container " + container.getName(),
                            item,
                            EffectivePodResources.requests(container),
                            EffectivePodResources.limits(container));
                }
            }
        }
        if (!broken.isEmpty()) {
            String name = range.getMetadata().getName();
            context.findings()
                    .error(
                            ProblemTopic.LIMIT_RANGE,
                            podSet.path("request"),
                            "LimitRange \"" + name + "\" does not allow the pods",
                            String.join("; ", broken),
                            ProblemFix.of("set " + String.join(" and ", say)
                                    + ", or ask the namespace's administrator to change the LimitRange"));
            context.findings().refused(podSet.where());
        }
    }

    private void compare(
            String what, LimitRangeItem item, Map<String, BigDecimal> requests, Map<String, BigDecimal> limits) {
        EffectivePodResources.amounts(item.getMin()).forEach((resource, least) -> {
            BigDecimal asked = requests.get(resource);
            if (asked == null || asked.compareTo(least) < 0) {
                broken(what + " must have a " + resource + " request of " + EffectivePodResources.text(least)
                        + " at least, requests " + (asked == null ? "nothing" : EffectivePodResources.text(asked)));
                say("request(\"" + resource + "=" + EffectivePodResources.text(least) + "\")");
            }
        });
        EffectivePodResources.amounts(item.getMax()).forEach((resource, most) -> {
            BigDecimal limit = limits.get(resource);
            if (limit == null || limit.compareTo(most) > 0) {
                broken(what + " may have a " + resource + " limit of " + EffectivePodResources.text(most)
                        + " at most, has"
                        + " " + (limit == null ? "no limit" : "the limit " + EffectivePodResources.text(limit)));
                say("limit(\"" + resource + "=" + EffectivePodResources.text(most) + "\")");
            }
        });
        EffectivePodResources.amounts(item.getMaxLimitRequestRatio()).forEach((resource, ratio) -> {
            BigDecimal asked = requests.get(resource);
            BigDecimal limit = limits.get(resource);
            if (asked != null && limit != null) {
                if (limit.compareTo(asked.multiply(ratio)) > 0) {
                    broken(what + " may have a " + resource + " limit of " + EffectivePodResources.text(ratio)
                            + " times its request at most, has the request " + EffectivePodResources.text(asked)
                            + " and the limit "
                            + EffectivePodResources.text(limit));
                    say("request(\"" + resource + "="
                            + EffectivePodResources.text(
                                    limit.divide(ratio, resource.equals("cpu") ? 3 : 0, RoundingMode.UP))
                            + "\")");
                }
            } else {
                broken(what + " must have a request and a limit for " + resource + ", whose ratio is at most "
                        + EffectivePodResources.text(ratio));
                say("request and limit of " + resource);
            }
        });
    }

    private void broken(String rule) {
        broken.add(rule);
    }

    private void say(String line) {
        if (!say.contains(line)) {
            say.add(line);
        }
    }
}
