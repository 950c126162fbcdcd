package dev.edl.k8s.render;

import dev.edl.env.HorovodEnv;
import dev.edl.k8s.render.internal.Owner;
import dev.edl.k8s.render.internal.RoleMounts;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.plan.ReplicaPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.Framework;
import dev.edl.spec.Resources;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks whether options fit a plan; one exception reports every mistake. */
final class OptionRules {
    /** Kubernetes' maximum length of a Service's name, in characters. */
    private static final int NAME_CHARS = 63;

    private final JobPlan plan;
    private final PodOptions options;
    private final List<String> mistakes = new ArrayList<>();

    private OptionRules(JobPlan plan, PodOptions options) {
        this.plan = plan;
        this.options = options;
    }

    static void check(JobPlan plan, PodOptions options) {
        OptionRules rules = new OptionRules(plan, options);
        rules.strangers();
        rules.profile();
        rules.board();
        rules.gang();
        rules.sleepers();
        plan.roles().forEach(rules::role);
        if (!rules.mistakes.isEmpty()) {
            throw new RenderException(rules.mistakes.stream()
                    .distinct()
                    .map(line -> "job \"" + plan.name() + "\": " + line)
                    .collect(Collectors.joining("\n")));
        }
    }

    private void strangers() {
        for (RoleType type : options.roles().keySet()) {
            if (plan.role(type).isEmpty()) {
                mistakes.add("options are set for " + type + ", a role that the job does not have; it has "
                        + plan.roles().stream().map(r -> r.type().id()).collect(Collectors.joining(", ")));
            }
        }
    }

    private void profile() {
        if (options.tfImage().isPresent() && plan.profile() != Profile.TFJOB_V1ALPHA1) {
            mistakes.add("tfImage is for profile TFJOB_V1ALPHA1, the plan's is " + plan.profile() + "; leave it out");
        }
        if (options.sshKeys().isPresent() && plan.profile() != Profile.ET_V1ALPHA1) {
            mistakes.add("sshKeys are for profile ET_V1ALPHA1, the plan's is " + plan.profile() + "; leave them out");
        }
        if (options.kubexec() && plan.profile() != Profile.ET_V1ALPHA1) {
            mistakes.add("kubexec is for profile ET_V1ALPHA1, the plan's is " + plan.profile() + "; leave it out");
        }
        if (options.kubexec() && options.sshKeys().isPresent()) {
            mistakes.add("kubexec needs no sshKeys; leave one of them out");
        }
        options.owner()
                .flatMap(Owner::namespace)
                .filter(namespace -> !namespace.equals(plan.namespace()))
                .ifPresent(namespace -> mistakes.add("an owner must be in the job's namespace " + plan.namespace()
                        + ", was in " + namespace + "; the garbage collector would treat it as deleted and delete"
                        + " the job"));
    }

    /**
     * Rejects arguments of a worker that has no command. Both operators with a launcher let such a worker sleep until
     * the launcher starts a process, so the arguments would have no effect.
     */
    private void sleepers() {
        boolean called = plan.profile() == Profile.ET_V1ALPHA1
                || (plan.profile() == Profile.KUBEFLOW_V1 && plan.framework() == Framework.HOROVOD);
        if (!called) {
            return;
        }
        plan.role(RoleType.WORKER)
                .map(RolePlan::template)
                .filter(worker -> worker.command().isEmpty() && !worker.args().isEmpty())
                .ifPresent(worker -> mistakes.add("worker.args are ignored without a command: a worker of profile "
                        + plan.profile() + " then sleeps until its launcher starts a process; set a command, or pass"
                        + " the arguments in the launcher"));
    }

    private void board() {
        String name = options.renderer(plan).boardName();
        if (options.tensorBoard().isPresent() && name.length() > NAME_CHARS) {
            mistakes.add("TensorBoard's name " + name + " may have at most " + NAME_CHARS + " characters; shorten the "
                    + (plan.profile() == Profile.TFJOB_V1ALPHA1 ? "run id" : "job's name") + " by "
                    + (name.length() - NAME_CHARS));
        }
    }

    private void gang() {
        int replicas = plan.roles().stream().mapToInt(RolePlan::replicas).sum();
        options.gang()
                .filter(gang -> gang.members().orElse(0) > replicas)
                .ifPresent(gang -> mistakes.add("a gang of "
                        + gang.members().orElse(0) + " would never start, because the job has " + replicas
                        + " replicas; omit members to use the job's minimum"));
    }

    private void role(RolePlan role) {
        PodSettings settings = options.of(role.type());
        ReplicaPlan replica = plan.replica(role.type(), 0, 0);
        env(role, settings, replica);
        labels(role, settings, replica);
        mounts(role, settings);
        containers(role, settings);
        accelerators(role, settings);
        nodes(role, settings);
    }

    private void env(RolePlan role, PodSettings settings, ReplicaPlan replica) {
        Set<String> seen = new HashSet<>(replica.env().keySet());
        seen.addAll(role.template().secretEnv().keySet());
        for (EnvVar variable : settings.env()) {
            if (!seen.add(variable.getName())) {
                mistakes.add(role.type() + ".secretEnv " + variable.getName()
                        + " is already a variable of the pod; set it once");
            }
        }
    }

    private void labels(RolePlan role, PodSettings settings, ReplicaPlan replica) {
        for (String key : settings.labels().keySet()) {
            if (replica.labels().containsKey(key)) {
                mistakes.add(role.type() + ".label " + key
                        + " is already a label of the pod; choose another key, for example" + " team");
            }
        }
    }

    private void mounts(RolePlan role, PodSettings settings) {
        Set<String> paths = role.template().volumes().stream()
                .map(dev.edl.spec.Volume::mountPath)
                .collect(Collectors.toCollection(HashSet::new));
        Map<String, Volume> names = new HashMap<>();
        new RoleMounts(role.template().volumes()).volumes().forEach(volume -> names.put(volume.getName(), volume));
        for (PodSettings.MountedVolume mounted : settings.volumes()) {
            String path = mounted.mount().getMountPath();
            if (!paths.add(path)) {
                mistakes.add(role.type() + ": " + path + " must be mounted once, is mounted twice");
            }
            Volume before = names.putIfAbsent(mounted.volume().getName(), mounted.volume());
            if (before != null && !before.equals(mounted.volume())) {
                mistakes.add(role.type() + ": two volumes are named " + before.getName() + "; rename one");
            }
        }
    }

    private void containers(RolePlan role, PodSettings settings) {
        Set<String> names = new HashSet<>(Set.of(options.renderer(plan).container(role)));
        Stream.concat(settings.initContainers().stream(), settings.sidecars().stream())
                .map(Container::getName)
                .filter(name -> name == null || !names.add(name))
                .forEach(name -> mistakes.add(
                        role.type() + ": each container must have its own name, was \"" + name + "\" twice or none"));
    }

    private void nodes(RolePlan role, PodSettings settings) {
        Map<String, String> labels = new HashMap<>(settings.nodeSelector());
        settings.accelerators()
                .forEach(accelerator -> accelerator.nodes().forEach((key, value) -> {
                    String before = labels.putIfAbsent(key, value);
                    if (before != null && !before.equals(value)) {
                        mistakes.add(role.type() + ": no node has both " + key + "=" + before + " and " + key + "="
                                + value + "; select one of them");
                    }
                }));
    }

    private void accelerators(RolePlan role, PodSettings settings) {
        Map<String, String> amounts =
                new HashMap<>(role.template().effectiveLimits().amounts());
        for (Accelerator accelerator : settings.accelerators()) {
            String count = Integer.toString(accelerator.count());
            String before = amounts.putIfAbsent(accelerator.resource(), count);
            if (before != null && !before.equals(count)) {
                mistakes.add(role.type() + " requests " + accelerator.resource() + "=" + before
                        + " but has the accelerator " + accelerator.resource() + "=" + count
                        + "; set the number once");
            }
        }
        unseen(role, settings);
    }

    /**
     * Rejects devices that only options add, if the plan starts one process per device: it starts none for devices that
     * the job does not request.
     */
    private void unseen(RolePlan role, PodSettings settings) {
        Resources asked = role.template().effectiveLimits();
        List<Accelerator> added = settings.accelerators().stream()
                .filter(one ->
                        Resources.isDevice(one.resource()) && !asked.amounts().containsKey(one.resource()))
                .toList();
        int processes = Math.max(1, asked.devices());
        int devices =
                asked.devices() + added.stream().mapToInt(Accelerator::count).sum();
        if (Math.max(1, devices) != processes && startsByDevices(role, processes)) {
            mistakes.add(role.type() + " gets "
                    + added.stream()
                            .map(one -> one.resource() + "=" + one.count())
                            .collect(Collectors.joining(", "))
                    + " from options, which the plan does not read: it starts " + processes + " of " + devices
                    + " processes; request the device in the job, for example .gpu(\""
                    + added.get(0).resource() + "\", "
                    + added.get(0).count() + ")");
        }
    }

    /** Returns whether the number of a role's processes is derived from its devices; false if it is set explicitly. */
    private boolean startsByDevices(RolePlan role, int processes) {
        if (plan.profile() == Profile.KUBEFLOW_V1) {
            return false;
        }
        return switch (plan.framework()) {
            case PYTORCH ->
                Integer.toString(processes)
                        .equals(plan.replica(role.type(), 0, 0).env().get("PET_NPROC_PER_NODE"));
            case HOROVOD -> role.type() == RoleType.WORKER && startsByDefault();
            default -> false;
        };
    }

    private boolean startsByDefault() {
        RolePlan launcher = plan.role(RoleType.LAUNCHER.id());
        String said = plan.replica(RoleType.LAUNCHER, 0, 0).env().get(HorovodEnv.VARIABLE);
        return Objects.equals(
                said, HorovodEnv.of(plan.profile()).env(plan, launcher, 0, 0).get(HorovodEnv.VARIABLE));
    }
}
