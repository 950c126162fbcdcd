package dev.edl.env;

import dev.edl.ElasticBounds;
import dev.edl.RoleType;
import dev.edl.plan.EnvRule;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.plan.RolePlan;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Horovod's environment. Immutable; each setting gives a new rule.
 *
 * <p>{@code horovodrun} takes hosts from files and arguments, not from the environment, so it is the launcher that is told.
 * In {@link Profile#ELASTICDL} it has {@code EDL_HOROVODRUN}, the arguments in front of the program:
 * {@code sh -c 'exec horovodrun $EDL_HOROVODRUN python train.py'}. They name the hosts, or, when the workers are elastic, the
 * bounds and the discovery script {@code /etc/edl/discover_hosts.sh}, whose text is {@link HorovodHosts#script(String)}. In
 * {@link Profile#KUBEFLOW_V1} the launcher has what MPIJob v1 gives it; et-operator gives none to a launcher that uses ssh.
 */
public final class HorovodEnv implements EnvRule {
    /** The variable with the arguments of {@code horovodrun}. */
    public static final String VARIABLE = "EDL_HOROVODRUN";

    private final Profile profile;
    private final OptionalInt slots;
    private final String directory;

    private HorovodEnv(Profile profile, OptionalInt slots, String directory) {
        this.profile = profile;
        this.slots = slots;
        this.directory = directory;
    }

    /** The rule of a profile. */
    public static HorovodEnv of(Profile profile) {
        return new HorovodEnv(profile, OptionalInt.empty(), "/etc/edl");
    }

    /**
     * How many processes run on each worker; unless given, one for each device of its limit
     * ({@link dev.edl.Resources#isDevice}), else one, and one in {@link Profile#KUBEFLOW_V1}.
     *
     * @param slots at least 1
     */
    public HorovodEnv slots(int slots) {
        EnvReader.number("slots", slots, 1, Integer.MAX_VALUE);
        return new HorovodEnv(profile, OptionalInt.of(slots), directory);
    }

    /**
     * Where the launcher finds {@code hostfile} and {@code discover_hosts.sh}; {@code /etc/edl} unless given.
     *
     * @param directory absolute, without blanks and quotes
     */
    public HorovodEnv directory(String directory) {
        HorovodElastic.checkPath("directory", directory);
        return new HorovodEnv(profile, slots, directory);
    }

    /** The hosts of a plan as it starts. */
    public HorovodHosts hosts(JobPlan plan) {
        return HorovodHosts.of(plan, slots(plan));
    }

    /** How {@code horovodrun} follows the workers of a plan between their bounds. */
    public HorovodElastic elastic(JobPlan plan) {
        RolePlan workers = plan.role(RoleType.WORKER.id());
        int each = slots(plan);
        ElasticBounds bounds = workers.bounds();
        return new HorovodElastic(
                workers.replicas() * each,
                new ElasticBounds(bounds.min() * each, bounds.max() * each),
                directory + "/discover_hosts.sh",
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty());
    }

    private int slots(JobPlan plan) {
        return slots.orElseGet(() ->
                profile == Profile.KUBEFLOW_V1 ? 1 : ProcessesPerReplica.processes(plan.role(RoleType.WORKER.id())));
    }

    @Override
    public void check(JobPlan plan) {
        if (plan.role(RoleType.LAUNCHER).isEmpty()) {
            FrameworkRules.refuse(
                    plan,
                    List.of(
                            "a Horovod job needs a launcher, which starts the processes on the workers; add .launcher()"));
        }
        FrameworkRules.check(plan);
    }

    @Override
    public boolean followsIndex() {
        return true;
    }

    @Override
    public Map<String, String> env(JobPlan plan, RolePlan role, int id, int index) {
        if (role.type() != RoleType.LAUNCHER || profile == Profile.ET_V1ALPHA1) {
            return Map.of();
        }
        return profile == Profile.KUBEFLOW_V1 ? mpiJob(role) : Map.of(VARIABLE, arguments(plan));
    }

    private String arguments(JobPlan plan) {
        if (plan.role(RoleType.WORKER).isEmpty()) {
            return "-np 1";
        }
        if (plan.role(RoleType.WORKER.id()).elastic()) {
            return elastic(plan).toString();
        }
        HorovodHosts hosts = hosts(plan);
        return "-np " + hosts.slots() + " -H " + hosts.argument();
    }

    /**
     * Returns whether MPIJob's operator takes a launcher for one that computes as well: it has a limit whose name contains
     * {@code gpu}, of whatever amount.
     */
    public static boolean computes(RolePlan launcher) {
        return launcher.template().effectiveLimits().amounts().keySet().stream().anyMatch(name -> name.contains("gpu"));
    }

    /** A launcher without GPUs must not see those of its node; what the user says of Intel's bootstrap stays. */
    private static Map<String, String> mpiJob(RolePlan launcher) {
        Map<String, String> env = new LinkedHashMap<>();
        env.put("OMPI_MCA_plm_rsh_agent", "/etc/mpi/kubexec.sh");
        env.put("OMPI_MCA_orte_default_hostfile", "/etc/mpi/hostfile");
        if (!computes(launcher)) {
            env.put("NVIDIA_VISIBLE_DEVICES", "");
            env.put("NVIDIA_DRIVER_CAPABILITIES", "");
        }
        env.put("I_MPI_HYDRA_BOOTSTRAP", "rsh");
        env.put("I_MPI_HYDRA_BOOTSTRAP_EXEC", "/etc/mpi/kubexec.sh");
        for (String given : List.of("I_MPI_HYDRA_BOOTSTRAP", "I_MPI_HYDRA_BOOTSTRAP_EXEC")) {
            if (launcher.template().env().containsKey(given)
                    || launcher.template().secretEnv().containsKey(given)) {
                env.remove(given);
            }
        }
        return env;
    }

    /** For example {@code HorovodEnv (ELASTICDL, /etc/edl)}. */
    @Override
    public String toString() {
        return "HorovodEnv (" + profile + ", " + directory + (slots.isPresent() ? ", slots " + slots.getAsInt() : "")
                + ")";
    }
}
