package dev.edl.testkit;

import static dev.edl.testkit.EdlAssertions.assertThat;
import static dev.edl.testkit.Failures.fails;

import dev.edl.Job;
import dev.edl.env.DmlcEnv;
import dev.edl.env.HorovodElastic;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvAssertTest {
    private static JobPlan mxnet(Profile profile) {
        return Job.named("mx")
                .runId("r1")
                .mxnet()
                .scheduler()
                .servers(2)
                .workers(3)
                .build()
                .plan(profile);
    }

    @Test
    void mxnets_variables() {
        ReplicaAssert worker = assertThat(mxnet(Profile.KUBEFLOW_V1)).replica("worker", 2);
        worker.dmlc()
                .hasRole("worker")
                .hasScheduler("mx-scheduler-0", 9091)
                .hasServers(2)
                .hasWorkers(3);
        String who = "replica mx-worker-2 (worker 2), DMLC_*: ";
        fails(() -> worker.dmlc().hasRole("server"), who + "expected role \"server\", was \"worker\"");
        fails(
                () -> worker.dmlc().hasScheduler("mx-scheduler-0", 1),
                who + "expected scheduler \"mx-scheduler-0:1\", was \"mx-scheduler-0:9091\"");
        fails(() -> worker.dmlc().hasServers(1), who + "expected servers 1, was 2");
        fails(() -> worker.dmlc().hasWorkers(1), who + "expected workers 1, was 3");
        fails(() -> worker.dmlc().hasNodeHost("h"), who + "expected node host \"h\", but there is none");
        DmlcEnv env = DmlcEnv.parse(Map.of(
                "DMLC_PS_ROOT_URI", "s",
                "DMLC_PS_ROOT_PORT", "1",
                "DMLC_NUM_SERVER", "1",
                "DMLC_NUM_WORKER", "1",
                "DMLC_ROLE", "worker",
                "DMLC_WORKER_ID", "4",
                "DMLC_USE_KUBERNETES", "1"));
        assertThat(env).hasWorkerId(4).usesKubernetes(true);
        fails(() -> assertThat(env).hasWorkerId(5), "DMLC_*: expected worker id 5, was 4");
        fails(() -> assertThat(env).hasNoWorkerId(), "DMLC_*: expected no worker id, was 4");
        fails(() -> assertThat(env).usesKubernetes(false), "DMLC_*: expected use of Kubernetes false, was true");
    }

    @Test
    void the_missing_variable_of_a_framework_is_named() {
        ReplicaAssert master = assertThat(Mnist.job().plan()).replica("master", 0);
        String who = "replica elasticdl-mnist-master (master 0): expected ";
        fails(
                master::dmlc,
                who + "DMLC_* that can be read, but DMLC_PS_ROOT_URI is missing; for example"
                        + " DMLC_PS_ROOT_URI=myjob-scheduler-0");
        fails(master::torchrun, who + "PET_* that can be read, but PET_NNODES is missing; for example PET_NNODES=2");
        fails(
                () -> assertThat(mxnet(Profile.ELASTICDL)).replica("server", 1).elasticDl(),
                "replica elasticdl-mx-server-1 (server 1): expected ElasticDL's variables that can be read, but JOB_NAME is"
                        + " missing; for example JOB_NAME=test-mnist");
        fails(
                master::mxConfig,
                who
                        + "variable MX_CONFIG, but there is no MX_CONFIG; there are EDL_INDEX, EDL_ROLE, EDL_RUN_ID, JOB_NAME,"
                        + " LOG, MASTER_ADDR, PS_ADDRS, WORKER_NUM");
    }

    @Test
    void mx_config() {
        ReplicaAssert worker = assertThat(mxnet(Profile.KUBEFLOW_V1)).replica("worker", 2);
        worker.mxConfig()
                .hasTask("worker", 2)
                .hasRoles("scheduler", "server", "worker")
                .hasAddresses("scheduler", "mx-scheduler-0:9091")
                .hasLabel("worker", "");
        String who = "replica mx-worker-2 (worker 2), MX_CONFIG: ";
        fails(() -> worker.mxConfig().hasTask("worker", 1), who + "expected task worker 1, was worker 2");
        fails(
                () -> worker.mxConfig().hasRoles("worker"),
                who + "expected roles \"worker\", was \"scheduler\", \"server\", \"worker\"");
        fails(
                () -> worker.mxConfig().hasAddresses("schduler", "a:1"),
                who + "expected role \"schduler\"; did you mean \"scheduler\"? There are scheduler, server, worker");
        fails(
                () -> worker.mxConfig().hasAddresses("scheduler", "a:1"),
                who + "expected addresses of scheduler \"a:1\", was \"mx-scheduler-0:9091\"");
        fails(() -> worker.mxConfig().hasLabel("worker", "gpu"), who + "expected label of worker=\"gpu\", was \"\"");
    }

    @Test
    void torchruns_variables() {
        JobPlan fixed = Job.named("pt")
                .runId("r1")
                .pytorch()
                .master()
                .workers(2)
                .build()
                .plan(Profile.KUBEFLOW_V1);
        TorchrunAssert worker = assertThat(fixed).replica("worker", 1).torchrun();
        worker.hasNodes(3).hasMaster("pt-master-0", 23456).hasRank(2).hasNoRendezvous();
        String who = "replica pt-worker-1 (worker 1), PET_*: ";
        fails(() -> worker.hasNodes(2), who + "expected nodes 2..2, was 3..3");
        fails(() -> worker.hasProcesses("8"), who + "expected processes on a node \"8\", was \"auto\"");
        fails(() -> worker.hasRank(1), who + "expected rank 1, was 2");
        fails(() -> worker.hasMaster("m", 1), who + "expected master \"m:1\", was \"pt-master-0:23456\"");
        fails(() -> worker.hasNoMaster(), who + "expected no master, was \"pt-master-0:23456\"");
        fails(
                () -> worker.hasRendezvous("c10d", "h:1"),
                who + "expected rendezvous \"c10d at h:1\", but there is none");
        fails(() -> worker.hasRendezvousId("x"), who + "expected rendezvous id \"x\", but there is none");
        fails(() -> worker.hasMaxRestarts(3), who + "expected restarts 3, but there is none");

        JobPlan elastic = Job.named("pt")
                .runId("r1")
                .pytorch()
                .workers(2)
                .elastic(1, 3)
                .build()
                .plan(Profile.KUBEFLOW_V1);
        TorchrunAssert node = assertThat(elastic).replica("worker", 1).torchrun();
        node.hasNodes(1, 3).hasNoMaster().hasRendezvous("c10d", "pt-worker-0:23456");
        fails(
                () -> node.hasNoRendezvous(),
                "replica pt-worker-1 (worker 1), PET_*: expected no rendezvous, was \"c10d at pt-worker-0:23456\"");
    }

    @Test
    void elasticdls_variables() {
        ElasticDlEnvAssert worker =
                assertThat(Mnist.job().plan()).replica("worker", 2).elasticDl();
        worker.hasJob("mnist")
                .hasPlace("worker", 2)
                .hasWorkerId(2)
                .hasWorkers(4)
                .hasMaster("elasticdl-mnist-master.default.svc:50001")
                .hasPs("elasticdl-mnist-ps-0.default.svc:2222", "elasticdl-mnist-ps-1.default.svc:2222");
        String who = "replica elasticdl-mnist-worker-2 (worker 2), ElasticDL's variables: ";
        fails(() -> worker.hasJob("m"), who + "expected job \"m\", was \"mnist\"");
        fails(() -> worker.hasPlace("ps", 2), who + "expected place \"ps 2\", was \"worker 2\"");
        fails(() -> worker.hasWorkerId(1), who + "expected worker id 1, was 2");
        fails(() -> worker.hasWorkers(5), who + "expected workers 5, was 4");
        fails(() -> worker.hasNoMaster(), who + "expected no master, was \"elasticdl-mnist-master.default.svc:50001\"");
        fails(
                () -> worker.hasPs(),
                who + "expected parameter servers none, was \"elasticdl-mnist-ps-0.default.svc:2222\","
                        + " \"elasticdl-mnist-ps-1.default.svc:2222\"");
    }

    @Test
    void horovods_hosts_and_elastic_arguments() {
        JobPlan plan = Job.named("hv")
                .runId("r1")
                .horovod()
                .launcher()
                .workers(2)
                .gpu(4)
                .elastic(1, 3)
                .build()
                .plan();
        assertThat(plan)
                .horovodHosts()
                .hasHosts("elasticdl-hv-worker-0.default.svc:4", "elasticdl-hv-worker-1.default.svc:4")
                .hasSlots("elasticdl-hv-worker-1.default.svc", 4)
                .hasSlots(8);
        String who = "plan of job \"hv\", hosts: ";
        fails(() -> assertThat(plan).horovodHosts().hasSlots(4), who + "expected slots 4, was 8");
        fails(
                () -> assertThat(plan).horovodHosts().hasHosts("a:1"),
                who + "expected hosts \"a:1\", was \"elasticdl-hv-worker-0.default.svc:4\","
                        + " \"elasticdl-hv-worker-1.default.svc:4\"");
        fails(
                () -> assertThat(plan).horovodHosts().hasSlots("elasticdl-hv-worker-1.default.svc", 2),
                who + "expected slots of elasticdl-hv-worker-1.default.svc=\"2\", was \"4\"");

        HorovodElasticAssert launcher = assertThat(plan).replica("launcher", 0).horovodElastic();
        launcher.hasProcesses(8).isElastic(4, 12).hasScript("/etc/edl/discover_hosts.sh");
        String run = "replica elasticdl-hv-launcher (launcher 0), EDL_HOROVODRUN: ";
        fails(() -> launcher.hasProcesses(2), run + "expected processes 2, was 8");
        fails(() -> launcher.isElastic(1, 3), run + "expected elastic bounds 1..3, was 4..12");
        fails(
                () -> launcher.hasScript("/x"),
                run + "expected discovery script \"/x\", was \"/etc/edl/discover_hosts.sh\"");
        fails(() -> launcher.hasSlots(1), run + "expected slots of a host 1, but there is none");
        fails(() -> launcher.hasTimeout(60), run + "expected timeout in seconds 60, but there is none");
        HorovodElastic own = HorovodElastic.parse(List.of(
                "-np",
                "2",
                "--min-np",
                "1",
                "--max-np",
                "2",
                "--host-discovery-script",
                "/d.sh",
                "--reset-limit",
                "3"));
        assertThat(own).hasResets(3);
        fails(() -> assertThat(own).hasResets(4), "horovodrun: expected resets 4, was 3");
    }

    @Test
    void a_job_of_fixed_size_has_no_elastic_arguments() {
        JobPlan plan = Job.named("hv")
                .runId("r1")
                .horovod()
                .launcher()
                .workers(2)
                .build()
                .plan();
        fails(
                () -> assertThat(plan).replica("launcher", 0).horovodElastic(),
                "replica elasticdl-hv-launcher (launcher 0): expected elastic arguments of horovodrun that can be read, but"
                        + " \"-H\" is not an elastic argument of horovodrun; valid are -np, --min-np, --max-np,"
                        + " --host-discovery-script, --slots-per-host, --elastic-timeout, --reset-limit");
    }
}
