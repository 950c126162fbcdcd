package dev.edl.testkit;

import dev.edl.Job;
import dev.edl.env.DmlcEnv;
import dev.edl.env.ElasticDlEnv;
import dev.edl.env.HorovodElastic;
import dev.edl.env.HorovodHosts;
import dev.edl.env.MxConfig;
import dev.edl.env.TfConfig;
import dev.edl.env.TorchrunEnv;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import org.jspecify.annotations.Nullable;

/**
 * Entry point of the assertions on jobs, plans and environments.
 *
 * <pre>{@code
 * import static dev.edl.testkit.EdlAssertions.*;
 *
 * assertThat(job).hasRoles("master", "ps", "worker").role("worker").hasReplicas(4).hasPriority("low");
 * assertThat(job.plan()).replica("worker", 2).hasEnv("WORKER_ID", "2").hasPort(3333);
 * assertThat(job.plan()).matchesGolden();
 * }</pre>
 *
 * <p>The static import can stand beside AssertJ's own {@code Assertions.*}. Requires AssertJ and no particular test
 * framework. Assertions on pods are in {@code dev.edl.testkit.k8s}, because they also need Kubernetes' types.
 */
public final class EdlAssertions {
    private EdlAssertions() {}

    /** Creates assertions on the settings of a job. */
    public static JobAssert assertThat(@Nullable Job actual) {
        return new JobAssert(actual);
    }

    /** Creates assertions on the plan of a job. */
    public static PlanAssert assertThat(@Nullable JobPlan actual) {
        return new PlanAssert(actual);
    }

    /** Creates assertions on one replica of a plan. */
    public static ReplicaAssert assertThat(@Nullable ReplicaPlan actual) {
        return new ReplicaAssert(actual);
    }

    /** Creates assertions on TensorFlow's {@code TF_CONFIG}. */
    public static TfConfigAssert assertThat(@Nullable TfConfig actual) {
        return new TfConfigAssert("TF_CONFIG", actual);
    }

    /** Creates assertions on {@code MX_CONFIG}. */
    public static MxConfigAssert assertThat(@Nullable MxConfig actual) {
        return new MxConfigAssert("MX_CONFIG", actual);
    }

    /** Creates assertions on MXNet's {@code DMLC_*} variables. */
    public static DmlcAssert assertThat(@Nullable DmlcEnv actual) {
        return new DmlcAssert("DMLC_*", actual);
    }

    /** Creates assertions on torchrun's {@code PET_*} variables. */
    public static TorchrunAssert assertThat(@Nullable TorchrunEnv actual) {
        return new TorchrunAssert("PET_*", actual);
    }

    /** Creates assertions on the variables of ElasticDL and of EDL's own runtime. */
    public static ElasticDlEnvAssert assertThat(@Nullable ElasticDlEnv actual) {
        return new ElasticDlEnvAssert("ElasticDL's variables", actual);
    }

    /** Creates assertions on the hosts of a Horovod job. */
    public static HorovodHostsAssert assertThat(@Nullable HorovodHosts actual) {
        return new HorovodHostsAssert("hosts", actual);
    }

    /** Creates assertions on the elastic arguments of {@code horovodrun}. */
    public static HorovodElasticAssert assertThat(@Nullable HorovodElastic actual) {
        return new HorovodElasticAssert("horovodrun", actual);
    }
}
