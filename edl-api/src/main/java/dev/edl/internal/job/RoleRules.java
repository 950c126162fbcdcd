package dev.edl.internal.job;

import dev.edl.spec.ElasticBounds;
import dev.edl.spec.JobSpec;
import dev.edl.spec.Priority;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import java.util.List;

/** Checks one role of a job, and adds the mistakes to those of the job. */
final class RoleRules {
    /** Maximum number of replicas, because their names leave room for ids of five digits. */
    private static final int MOST_REPLICAS = 99_999;

    private final JobSpec spec;
    private final RoleSpec role;
    private final JobSourceFormat format;
    private final String path;
    private final List<String> mistakes;

    RoleRules(JobSpec spec, RoleSpec role, JobSourceFormat format, List<String> mistakes) {
        this.spec = spec;
        this.role = role;
        this.format = format;
        this.path = format.path(role.type());
        this.mistakes = mistakes;
    }

    void check() {
        replicas();
        elastic();
        priority();
        RoleTemplate own = role.template();
        new RoleTemplateRules(path, own, format, mistakes).check();
        RoleTemplate whole = spec.effective(role);
        if (own.requests().isPresent() || own.limits().isPresent()) {
            RoleTemplateRules.limits(path, whole, mistakes);
        }
        if (!own.volumes().isEmpty()) {
            RoleTemplateRules.mounts(path, whole.volumes(), mistakes);
        }
    }

    private void replicas() {
        int replicas = role.replicas();
        RoleType type = role.type();
        if (type.single() && replicas != 1) {
            mistakes.add(path + ".replicas must be 1, was " + replicas + "; a job has one " + type);
        } else if (replicas < 1) {
            mistakes.add(path + ".replicas must be at least 1, was " + replicas
                    + format.example(opener(type) + "(4)", "replicas: 4"));
        } else if (replicas > MOST_REPLICAS) {
            mistakes.add(path + ".replicas must be at most " + MOST_REPLICAS + ", was " + replicas
                    + format.example(opener(type) + "(4)", "replicas: 4"));
        }
    }

    private void elastic() {
        role.elastic().ifPresent(bounds -> {
            if (role.type() != RoleType.WORKER) {
                mistakes.add(path + ".elastic must be left out, was " + bounds + "; only workers can be scaled");
            } else if (bounds.max() > MOST_REPLICAS) {
                mistakes.add(path + ".elastic must end at " + MOST_REPLICAS + " or below, was " + bounds);
            } else if (role.replicas() >= 1 && !bounds.contains(role.replicas())) {
                mistakes.add(path + ".replicas must lie within elastic " + bounds + ", was " + role.replicas()
                        + format.example("workers(" + nearest(bounds) + ")", "replicas: " + nearest(bounds)));
            }
        });
    }

    private void priority() {
        role.template().priority().filter(Priority::isFraction).ifPresent(priority -> {
            if (role.type() != RoleType.WORKER) {
                mistakes.add(path + ".priority must be a class, as a fraction is for workers only, was \"" + priority
                        + "\"" + format.example("priority(\"high\")", "priority: high"));
            }
        });
    }

    private int nearest(ElasticBounds bounds) {
        return role.replicas() < bounds.min() ? bounds.min() : bounds.max();
    }

    private static String opener(RoleType type) {
        return switch (type) {
            case WORKER -> "workers";
            case SERVER -> "servers";
            default -> type.id();
        };
    }
}
