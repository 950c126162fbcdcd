package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.nd4j.linalg.factory.Nd4j;

class BackendTest {
    @Test
    void one_thread_per_worker_limits_all_operations() {
        Backend.oneThreadPerWorker();

        assertThat(Nd4j.getEnvironment().maxMasterThreads()).isEqualTo(1);
        assertThat(Nd4j.factory().blas().getMaxThreads()).isEqualTo(1);
        assertThat(Backend.describe()).isEqualTo("ND4J 1.0.0-M2.1, CPU, 1 thread per worker, OPENBLAS");
    }

    @Test
    void only_the_first_call_looks_up_native_functions() {
        Backend.oneThreadPerWorker();
        Nd4j.getEnvironment().setMaxMasterThreads(2);
        try {
            Backend.oneThreadPerWorker();

            assertThat(Nd4j.getEnvironment().maxMasterThreads()).isEqualTo(2);
        } finally {
            Nd4j.getEnvironment().setMaxMasterThreads(1);
        }
    }
}
