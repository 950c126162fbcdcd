package dev.edl.env;

import dev.edl.plan.EnvRule;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.plan.RolePlan;
import dev.edl.spec.ElasticBounds;
import dev.edl.spec.RoleType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Rule for Horovod. Immutable; each setting returns a new rule.
 *
 * <p>{@code horovodrun} reads hosts from files and arguments, not from the environment. So the launcher gets the
 * arguments in a variable.
 *
 * <ul>
 *   <li>In {@link Profile#ELASTICDL}, {@code EDL_HOROVODRUN} holds the arguments that precede the program: {@code sh -c
 *       'exec horovodrun $EDL_HOROVODRUN python train.py'}. The arguments list the hosts. With elastic workers, they
 *       contain the bounds and the path of the discovery script {@code /etc/edl/discover_hosts.sh}, whose text is
 *       {@link HorovodHosts#script(String)}.
 *   <li>In {@link Profile#KUBEFLOW_V1}, the launcher has the variables of MPIJob v1.
 *   <li>In {@link Profile#ET_V1ALPHA1}, no replica has variables, because et-operator sets none for a launcher that
 *       uses SSH.
 * </ul>
 */
public final class HorovodEnv implements EnvRule {
    /** Name of the variable with the arguments of {@code horovodrun}. */
    public static final String VARIABLE = "EDL_HOROVODRUN";

    private final Profile profile;
    private final OptionalInt slots;
    private final String directory;

    private HorovodEnv(Profile profile, OptionalInt slots, String directory) {
        this.profile = profile;
        this.slots = slots;
        this.directory = directory;
    }

    /** Returns the rule of a profile, with the default settings. */
    public static HorovodEnv of(Profile profile) {
        return new HorovodEnv(profile, OptionalInt.empty(), "/etc/edl");
    }

    /**
     * Sets the number of processes on each worker. By default it is one for each device in the worker's limit
     * ({@link dev.edl.spec.Resources#isDevice}), otherwise one. In {@link Profile#KUBEFLOW_V1} the default is one.
     *
     * @param slots number of processes on each worker, at least 1
     */
    public HorovodEnv slots(int slots) {
        EnvReader.number("slots", slots, 1, Integer.MAX_VALUE);
        return new HorovodEnv(profile, OptionalInt.of(slots), directory);
    }

    /**
     * Sets the launcher's directory with {@code hostfile} and {@code discover_hosts.sh}; by default {@code /etc/edl}.
     *
     * @param directory absolute path, without blanks and quotes
     */
    public HorovodEnv directory(String directory) {
        HorovodElastic.checkPath("directory", directory);
        return new HorovodEnv(profile, slots, directory);
    }

    /** Returns the workers that a plan has at its start, each a host with its slots. */
    public HorovodHosts hosts(JobPlan plan) {
        return HorovodHosts.of(plan, slots(plan));
    }

    /**
     * Returns the arguments of {@code horovodrun} for elastic training with a plan's workers, between their bounds.
     */
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
            FrameworkRestrictions.refuse(
                    plan,
                    List.of(
                            "a Horovod job needs a launcher, which starts the processes on the workers; add .launcher()"));
        }
        FrameworkRestrictions.check(plan);
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
     * Returns whether MPIJob's operator treats a launcher as a compute node: the launcher has a limit, even of 0, on a
     * resource whose name contains {@code gpu}.
     */
    public static boolean computes(RolePlan launcher) {
        return launcher.template().effectiveLimits().amounts().keySet().stream().anyMatch(name -> name.contains("gpu"));
    }

    /**
     * Returns the launcher's variables of MPIJob v1. They hide the node's GPUs from a launcher without GPUs, and leave
     * out each variable of Intel MPI's bootstrap that the job sets itself.
     */
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

    /** Returns, for example, {@code HorovodEnv (ELASTICDL, /etc/edl)}. */
    @Override
    public String toString() {
        return "HorovodEnv (" + profile + ", " + directory + (slots.isPresent() ? ", slots " + slots.getAsInt() : "")
                + ")";
    }
}
