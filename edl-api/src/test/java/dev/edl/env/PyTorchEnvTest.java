package dev.edl.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.edl.Job;
import dev.edl.env.TorchrunEnv.Rendezvous;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.ElasticBounds;
import dev.edl.spec.RoleType;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PyTorchEnvTest {
    @Test
    void a_static_job_has_its_master_as_node_0() {
        JobPlan plan =
                Job.named("j").pytorch().master().workers(2).gpu(4).build().plan();

        assertThat(plan.replica("worker", 1).env())
                .containsExactly(
                        entry("PET_MASTER_ADDR", "elasticdl-j-master.default.svc"),
                        entry("PET_MASTER_PORT", "23456"),
                        entry("PET_NNODES", "3"),
                        entry("PET_NODE_RANK", "2"),
                        entry("PET_NPROC_PER_NODE", "4"));
        assertThat(plan.replica("master", 0).env())
                .containsEntry("PET_NODE_RANK", "0")
                .containsEntry("PET_NPROC_PER_NODE", "1");
    }

    @Test
    void without_a_master_the_first_worker_is_node_0() {
        JobPlan plan = Job.named("j").pytorch().workers(2).build().plan();

        assertThat(plan.replica("worker", 1).env())
                .containsEntry("PET_MASTER_ADDR", "elasticdl-j-worker-0.default.svc")
                .containsEntry("PET_NODE_RANK", "1");
    }

    @Test
    void elastic_nodes_meet_at_a_rendezvous_and_keep_its_store_to_itself() {
        JobPlan plan = Job.named("j")
                .pytorch()
                .runId("r1")
                .master()
                .workers(2)
                .elastic(1, 4)
                .build()
                .plan();

        assertThat(plan.replica(RoleType.WORKER, 7, 3).env())
                .containsExactly(
                        entry("PET_MAX_RESTARTS", "100"),
                        entry("PET_NNODES", "2:5"),
                        entry("PET_NPROC_PER_NODE", "1"),
                        entry("PET_RDZV_BACKEND", "c10d"),
                        entry("PET_RDZV_CONF", "is_host=0"),
                        entry("PET_RDZV_ENDPOINT", "elasticdl-j-master.default.svc:23456"),
                        entry("PET_RDZV_ID", "j-r1"),
                        entry("TORCH_DISABLE_SHARE_RDZV_TCP_STORE", "1"));
    }

    @Test
    void node_0_hosts_the_store_if_its_address_is_ambiguous() {
        Job workers = Job.named("j").pytorch().workers(2).elastic(1, 4).build();
        JobPlan cluster = workers.plan();
        JobPlan here = cluster.reachedBy((role, index) -> new Endpoint(role, index, "127.0.0.1", 7000 + index));
        JobPlan led = workers.toBuilder().master().build().plan();

        assertThat(here.replica("worker", 0).env()).containsEntry("PET_RDZV_CONF", "is_host=1");
        assertThat(here.replica("worker", 1).env()).containsEntry("PET_RDZV_CONF", "is_host=0");
        assertThat(here.replica(RoleType.WORKER, 5, 0).env()).containsEntry("PET_RDZV_CONF", "is_host=1");
        assertThat(led.replica("master", 0).env()).containsEntry("PET_RDZV_CONF", "is_host=1");
        assertThat(cluster.replica("worker", 0).env()).doesNotContainKey("PET_RDZV_CONF");
    }

    @Test
    void processes_and_restarts_can_be_set() {
        JobPlan plan = Job.named("j")
                .pytorch()
                .workers(2)
                .elastic(1, 4)
                .build()
                .plan(
                        Profile.ELASTICDL,
                        PyTorchEnv.of(Profile.ELASTICDL).processes("gpu").maxRestarts(3));

        assertThat(plan.replica("worker", 0).env())
                .containsEntry("PET_NPROC_PER_NODE", "gpu")
                .containsEntry("PET_MAX_RESTARTS", "3");
    }

    @ParameterizedTest
    @CsvSource({
        "'gpu=8', 8",
        "'amd.com/gpu=8', 8",
        "'gpu.intel.com/i915=4', 4",
        "'nvidia.com/gpu.shared=2', 2",
        "'nvidia.com/mig-1g.5gb=3,nvidia.com/mig-2g.10gb=1', 4",
        "'google.com/tpu=4', 4",
        "'habana.ai/gaudi=8', 8",
        "'nvidia.com/gpu=1,nvidia.com/gpumem=3000,nvidia.com/gpucores=50', 1",
        "'rdma/hca_shared_devices_a=2', 1",
        "'gpu=0', 1",
    })
    void a_node_has_a_process_for_each_device(String resources, String processes) {
        JobPlan plan =
                Job.named("j").pytorch().workers(2).request(resources).build().plan();

        assertThat(plan.replica("worker", 0).env()).containsEntry("PET_NPROC_PER_NODE", processes);
    }

    // B.4
    @Test
    void pytorchjob_has_the_older_variables_besides() {
        JobPlan plan = Job.named("j").pytorch().master().workers(2).build().plan(Profile.KUBEFLOW_V1);

        assertThat(plan.replica("worker", 0).env())
                .containsExactly(
                        entry("MASTER_ADDR", "j-master-0"),
                        entry("MASTER_PORT", "23456"),
                        entry("PET_MASTER_ADDR", "j-master-0"),
                        entry("PET_MASTER_PORT", "23456"),
                        entry("PET_NNODES", "3"),
                        entry("PET_NODE_RANK", "1"),
                        entry("PET_NPROC_PER_NODE", "auto"),
                        entry("PYTHONUNBUFFERED", "1"),
                        entry("RANK", "1"),
                        entry("WORLD_SIZE", "3"));
    }

    @Test
    void elastic_nodes_of_pytorchjob_meet_at_its_first_worker() {
        JobPlan plan = Job.named("j").pytorch().workers(2).elastic(1, 4).build().plan(Profile.KUBEFLOW_V1);

        assertThat(plan.replica("worker", 1).env())
                .containsExactly(
                        entry("PET_MAX_RESTARTS", "100"),
                        entry("PET_NNODES", "1:4"),
                        entry("PET_NPROC_PER_NODE", "auto"),
                        entry("PET_RDZV_BACKEND", "c10d"),
                        entry("PET_RDZV_ENDPOINT", "j-worker-0:23456"),
                        entry("PYTHONUNBUFFERED", "1"),
                        entry("TORCH_DISABLE_SHARE_RDZV_TCP_STORE", "1"));
    }

    @Test
    void settings_of_a_rendezvous_are_read_back() {
        TreeMap<String, String> settings = new TreeMap<>(Map.of("last_call_timeout", "3", "is_host", "0"));
        TorchrunEnv env = new TorchrunEnv(
                new ElasticBounds(1, 3),
                "2",
                Optional.empty(),
                Optional.of(new Rendezvous("c10d", "10.0.0.1:29400", Optional.of("run-1"), settings)),
                OptionalInt.empty());

        assertThat(env)
                .hasToString(
                        "PET_NPROC_PER_NODE=2 PET_RDZV_ENDPOINT=10.0.0.1:29400 PET_RDZV_BACKEND=c10d PET_NNODES=1:3"
                                + " PET_RDZV_ID=run-1 PET_RDZV_CONF=is_host=0,last_call_timeout=3"
                                + " TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1");
        assertThat(TorchrunEnv.parse(env.variables())).isEqualTo(env);
    }

    @Test
    void what_torchrun_would_not_take_is_refused() {
        Map<String, String> variables = Map.of("PET_NNODES", "1:3", "PET_NPROC_PER_NODE", "1");

        assertThatThrownBy(() -> TorchrunEnv.parse(variables))
                .hasMessage("PET_NNODES must be one number without a rendezvous, was 1:3; for example PET_NNODES=3");
        assertThatThrownBy(() -> TorchrunEnv.parse(Map.of("PET_NNODES", "2", "PET_NPROC_PER_NODE", "all")))
                .hasMessage("PET_NPROC_PER_NODE must be a number, auto, gpu, cpu or xpu, was \"all\"; for example 1");
        assertThatThrownBy(() -> TorchrunEnv.parse(Map.of("PET_NPROC_PER_NODE", "1")))
                .hasMessage("PET_NNODES is missing; for example PET_NNODES=2");
        assertThatThrownBy(() -> TorchrunEnv.parse(Map.of("PET_NNODES", "1:2:3", "PET_NPROC_PER_NODE", "1")))
                .hasMessage("PET_NNODES must be a number or least:greatest, was \"1:2:3\"; for example 2 or 1:4");
        assertThatThrownBy(() -> TorchrunEnv.parse(Map.of("PET_NNODES", "4:1", "PET_NPROC_PER_NODE", "1")))
                .hasMessage("PET_NNODES must begin with the least, was \"4:1\"; for example 1:4");
    }

    @ParameterizedTest
    @CsvSource({
        "a-0:29400, true",
        "' a-0:0 ', true",
        "a-0, true",
        "'', true",
        "[::1], true",
        "[::1]:29400, true",
        "::1:29400, true",
        "a_b.c:65535, true",
        "a-0:65536, false",
        "a-0:, false",
        ":29400, false",
        "a-0:x, false",
        "a 0:1, false",
        "fe80::a, false",
    })
    void an_endpoint_is_one_of_torchruns_parser(String endpoint, boolean valid) {
        Map<String, String> env =
                Map.of("PET_NNODES", "1:4", "PET_RDZV_BACKEND", "c10d", "PET_RDZV_ENDPOINT", endpoint);

        if (valid) {
            TorchrunEnv read = TorchrunEnv.parse(env);
            assertThat(read.rendezvous().orElseThrow().endpoint()).isEqualTo(endpoint.strip());
            assertThat(TorchrunEnv.parse(read.variables())).isEqualTo(read);
        } else {
            assertThatThrownBy(() -> TorchrunEnv.parse(env))
                    .hasMessage("PET_RDZV_ENDPOINT must be host:port or host, with a port from 0 to 65535, was \""
                            + endpoint + "\"; for example myjob-worker-0:29400");
        }
    }

    @Test
    void variables_of_others_are_read_as_torchrun_reads_them() {
        TorchrunEnv env = TorchrunEnv.parse(Map.of(
                "PET_NNODES", " 2 ",
                "PET_NPROC_PER_NODE", "xpu",
                "PET_RDZV_BACKEND", "static",
                "PET_MASTER_ADDR", "[::1]",
                "PET_RDZV_ID", "a job/1",
                "PET_RDZV_CONF", " timeout=900, join_timeout = 600,cert=/etc/a=b,timeout=3 "));

        assertThat(env.master()).hasValue(new TorchrunEnv.Master("[::1]", 29500, 0));
        assertThat(env.rendezvous().orElseThrow().settings())
                .containsExactly(entry("cert", "/etc/a=b"), entry("join_timeout", "600"), entry("timeout", "3"));
        assertThat(env.variables())
                .doesNotContainKey("PET_RDZV_ENDPOINT")
                .containsEntry("PET_RDZV_CONF", "cert=/etc/a=b,join_timeout=600,timeout=3");
        assertThat(env.toString()).contains("PET_RDZV_ID='a job/1'");
        assertThat(TorchrunEnv.parse(env.variables())).isEqualTo(env);
        assertThatThrownBy(() -> TorchrunEnv.parse(
                        Map.of("PET_NNODES", "2", "PET_RDZV_BACKEND", "static", "PET_RDZV_ENDPOINT", "a-0")))
                .hasMessageStartingWith("PET_RDZV_ENDPOINT must be host:port, with a port");
        assertThatThrownBy(() -> TorchrunEnv.parse(Map.of("PET_NNODES", "2", "PET_RDZV_CONF", "timeout")))
                .hasMessage(
                        "PET_RDZV_CONF must be key=value,key=value, was \"timeout\"; for example last_call_timeout=3");
    }

    // torchrun 2.15 runs a single node with port 0.
    @Test
    void the_port_of_the_master_may_be_0() {
        TorchrunEnv env = TorchrunEnv.parse(Map.of("PET_NNODES", "1", "PET_MASTER_PORT", "0"));

        assertThat(env.master()).hasValue(new TorchrunEnv.Master("127.0.0.1", 0, 0));
        assertThat(env.variables()).containsEntry("PET_MASTER_PORT", "0");
        assertThatThrownBy(() -> TorchrunEnv.parse(Map.of("PET_NNODES", "1", "PET_MASTER_PORT", "65536")))
                .hasMessage("PET_MASTER_PORT must be from 0 to 65535, was 65536");
    }

    // torchrun's own parse_rendezvous_endpoint takes the brackets away; a master is given without.
    @Test
    void nodes_may_be_at_addresses_of_ipv6() {
        JobPlan fixed = Job.named("j")
                .pytorch()
                .master()
                .workers(1)
                .build()
                .plan()
                .reachedBy((role, index) -> new Endpoint(role, index, "fd00::1", 23456));
        JobPlan elastic = Job.named("j")
                .pytorch()
                .master()
                .workers(1)
                .elastic(1, 2)
                .build()
                .plan()
                .reachedBy((role, index) -> new Endpoint(role, index, "fd00::1", 23456));

        assertThat(fixed.replica("worker", 0).env()).containsEntry("PET_MASTER_ADDR", "fd00::1");
        assertThat(elastic.replica("worker", 0).env()).containsEntry("PET_RDZV_ENDPOINT", "[fd00::1]:23456");
    }
}
