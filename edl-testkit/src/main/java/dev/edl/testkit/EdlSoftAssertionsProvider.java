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
import org.assertj.core.api.SoftAssertionsProvider;
import org.jspecify.annotations.Nullable;

/**
 * {@link EdlAssertions} that collect their failures, for custom soft assertions: AssertJ combines providers.
 *
 * <pre>{@code
 * class Soft extends AbstractSoftAssertions implements EdlSoftAssertionsProvider, BDDSoftAssertionsProvider {}
 * }</pre>
 */
public interface EdlSoftAssertionsProvider extends SoftAssertionsProvider {
    /** Creates soft assertions on the settings of a job. */
    default JobAssert assertThat(@Nullable Job actual) {
        return EdlAssertions.assertThat(actual).collectedBy(this);
    }

    /** Creates soft assertions on the plan of a job. */
    default PlanAssert assertThat(@Nullable JobPlan actual) {
        return EdlAssertions.assertThat(actual).collectedBy(this);
    }

    /** Creates soft assertions on one replica of a plan. */
    default ReplicaAssert assertThat(@Nullable ReplicaPlan actual) {
        return EdlAssertions.assertThat(actual).collectedBy(this);
    }

    /** Creates soft assertions on TensorFlow's {@code TF_CONFIG}. */
    default TfConfigAssert assertThat(@Nullable TfConfig actual) {
        return EdlAssertions.assertThat(actual).collectedBy(this);
    }

    /** Creates soft assertions on {@code MX_CONFIG}. */
    default MxConfigAssert assertThat(@Nullable MxConfig actual) {
        return EdlAssertions.assertThat(actual).collectedBy(this);
    }

    /** Creates soft assertions on MXNet's {@code DMLC_*} variables. */
    default DmlcAssert assertThat(@Nullable DmlcEnv actual) {
        return EdlAssertions.assertThat(actual).collectedBy(this);
    }

    /** Creates soft assertions on torchrun's {@code PET_*} variables. */
    default TorchrunAssert assertThat(@Nullable TorchrunEnv actual) {
        return EdlAssertions.assertThat(actual).collectedBy(this);
    }

    /** Creates soft assertions on the variables of ElasticDL and of EDL's own runtime. */
    default ElasticDlEnvAssert assertThat(@Nullable ElasticDlEnv actual) {
        return EdlAssertions.assertThat(actual).collectedBy(this);
    }

    /** Creates soft assertions on the hosts of a Horovod job. */
    default HorovodHostsAssert assertThat(@Nullable HorovodHosts actual) {
        return EdlAssertions.assertThat(actual).collectedBy(this);
    }

    /** Creates soft assertions on the elastic arguments of {@code horovodrun}. */
    default HorovodElasticAssert assertThat(@Nullable HorovodElastic actual) {
        return EdlAssertions.assertThat(actual).collectedBy(this);
    }
}
