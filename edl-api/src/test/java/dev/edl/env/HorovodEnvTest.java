package dev.edl.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.env.HorovodHosts.Host;
import dev.edl.plan.PlanException;
import dev.edl.plan.Profile;
import dev.edl.plan.SeedJob;
import dev.edl.spec.ElasticBounds;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleType;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class HorovodEnvTest {
    private static JobBuilder elasticTraining(int gpus) {
        return Job.named("elastic-training")
                .horovod()
                .launcher()
                .workers(2)
                .gpu(gpus)
                .elastic(1, 9);
    }

    // F.3
    @Test
    void the_hosts_of_et_operator_s_job() {
        HorovodHosts hosts = HorovodHosts.of(elasticTraining(1).build().plan(Profile.ET_V1ALPHA1));

        assertThat(hosts.lines()).isEqualTo("elastic-training-worker-0:1\nelastic-training-worker-1:1\n");
        assertThat(hosts.hostfile())
                .isEqualTo("elastic-training-worker-0 slots=1\nelastic-training-worker-1 slots=1\n");
        assertThat(elasticTraining(1)
                        .build()
                        .plan(Profile.ET_V1ALPHA1)
                        .replica("launcher", 0)
                        .env())
                .isEmpty();
    }

    // D-07
    @Test
    void slots_are_the_limit_of_gpus_unless_they_are_given() {
        assertThat(HorovodHosts.of(elasticTraining(4).build().plan(Profile.ET_V1ALPHA1))
                        .lines())
                .isEqualTo("elastic-training-worker-0:4\nelastic-training-worker-1:4\n");
        assertThat(HorovodEnv.of(Profile.ET_V1ALPHA1)
                        .slots(2)
                        .hosts(elasticTraining(4).build().plan(Profile.ET_V1ALPHA1))
                        .slots())
                .isEqualTo(4);
    }

    @Test
    void every_text_is_read_back() {
        HorovodHosts hosts = new HorovodHosts(List.of(new Host("a-0.ns.svc", 2), new Host("10.0.0.1", 1)));

        assertThat(hosts.argument()).isEqualTo("a-0.ns.svc:2,10.0.0.1:1");
        assertThat(hosts.script()).isEqualTo("#!/bin/sh\necho a-0.ns.svc:2\necho 10.0.0.1:1\n");
        for (String text : List.of(hosts.hostfile(), hosts.lines(), hosts.argument(), hosts.script())) {
            assertThat(HorovodHosts.parse(text)).as(text).isEqualTo(hosts);
        }
        assertThat(HorovodHosts.parse("\na-0.ns.svc:2\n\n10.0.0.1 slots=1")).isEqualTo(hosts);
    }

    @Test
    void a_host_may_have_a_user_and_slots_may_have_zeros() {
        HorovodHosts hosts = HorovodHosts.parse("mpi@a slots=04\nb:2\n");

        assertThat(hosts).hasToString("mpi@a:4,b:2");
        assertThat(HorovodHosts.parse(hosts.hostfile())).isEqualTo(hosts);
    }

    @Test
    void hosts_that_horovod_would_stumble_over_are_refused() {
        assertThatThrownBy(() -> HorovodHosts.parse("a\n"))
                .hasMessage("line 1: a host must have slots, was \"a\"; for example \"a slots=1\" or \"a:1\"");
        assertThatThrownBy(() -> HorovodHosts.parse("a:0\n"))
                .hasMessage("slots of a must be from 1 to 2147483647, was 0");
        assertThatThrownBy(() -> HorovodHosts.parse("a:1,a:2"))
                .hasMessage(
                        "host \"a\" is given twice; give each host once, with all its slots, for example a slots=2");
    }

    @Test
    void hostfiles_are_read_as_people_write_them() {
        HorovodHosts hosts = new HorovodHosts(List.of(new Host("a", 2), new Host("b", 1)));

        for (String text : List.of(
                "a\tslots=2\r\nb  slots = 1\r\n",
                "# nodes\na slots=2 # with two GPUs\n\n  b:1\n",
                "#!/bin/bash\necho a:2\n  echo b:1\n",
                "a:2, b:1")) {
            assertThat(HorovodHosts.parse(text)).as(text).isEqualTo(hosts);
        }
        HorovodHosts echo = new HorovodHosts(List.of(new Host("echo", 1)));
        assertThat(HorovodHosts.parse(echo.hostfile())).isEqualTo(echo);
        assertThat(HorovodHosts.parse(echo.script())).isEqualTo(echo);
    }

    @Test
    void a_line_without_a_host_is_reported_by_its_number() {
        assertThatThrownBy(() -> HorovodHosts.parse("a:1\nb c slots=1\n"))
                .hasMessage("line 2: a host must have slots, was \"b c slots=1\"; for example \"worker-0 slots=1\" or"
                        + " \"worker-0:1\"");
        assertThatThrownBy(() -> HorovodHosts.parse("a slots=2 max_slots=4"))
                .hasMessage(
                        "line 1: slots of a must be a whole number, at least 0, was \"2 max_slots=4\"; for example 4");
        assertThatThrownBy(() -> HorovodHosts.parse("[fd00::1]:2"))
                .hasMessage("line 1: a host must be a host name or an IPv4 address: letters, digits, dashes, dots and"
                        + " underscores, was \"[fd00::1]\"; for example worker-0.default.svc");
    }

    @Test
    void a_spec_without_a_launcher_is_refused() {
        assertThatThrownBy(() -> SeedJob.plan(SeedJob.of(Framework.HOROVOD, SeedJob.role(RoleType.WORKER, 2))
                        .build()))
                .isInstanceOf(PlanException.class)
                .hasMessage("job \"j\": a Horovod job needs a launcher, which starts the processes on the workers; add"
                        + " .launcher()");
    }

    @Test
    void the_file_of_a_discovery_script_is_read_back() {
        assertThat(HorovodHosts.scriptFile(HorovodHosts.script("/etc/edl/hostfile")))
                .hasValue("/etc/edl/hostfile");
        assertThat(HorovodHosts.scriptFile(new HorovodHosts(List.of(new Host("a", 1))).script()))
                .isEmpty();
        assertThatThrownBy(() -> HorovodHosts.parse(HorovodHosts.script("/etc/edl/hostfile")))
                .hasMessage("this script prints the hosts of /etc/edl/hostfile; parse that file instead");
    }

    @Test
    void a_discovery_script_follows_a_file() {
        assertThat(HorovodHosts.script("/etc/edl/hostfile")).isEqualTo("""
                #!/bin/sh
                while read -r host || [ -n "$host" ]; do
                  [ -z "$host" ] || echo "$host"
                done </etc/edl/hostfile
                """);
        assertThatThrownBy(() -> HorovodHosts.script("/a b"))
                .hasMessage(
                        "the file of a discovery script must be an absolute path of letters, digits, dashes, dots, plus"
                                + " signs and underscores, was \"/a b\"; for example /etc/edl/discover_hosts.sh");
    }

    @Test
    void the_launcher_gets_the_bounds_of_elastic_workers_in_slots() {
        assertThat(elasticTraining(4).build().plan().replica("launcher", 0).env())
                .containsExactly(entry(
                        "EDL_HOROVODRUN",
                        "-np 8 --min-np 4 --max-np 36 --host-discovery-script /etc/edl/discover_hosts.sh"));
        assertThat(elasticTraining(4).build().plan().replica("worker", 0).env()).isEmpty();
    }

    @Test
    void the_launcher_gets_the_hosts_of_fixed_workers() {
        assertThat(Job.named("j")
                        .horovod()
                        .launcher()
                        .workers(2)
                        .build()
                        .plan()
                        .replica("launcher", 0)
                        .env())
                .containsExactly(entry(
                        "EDL_HOROVODRUN",
                        "-np 2 -H elasticdl-j-worker-0.default.svc:1,elasticdl-j-worker-1.default.svc:1"));
    }

    @Test
    void a_slot_is_there_for_each_device_of_any_vendor() {
        Job amd = Job.named("h")
                .horovod()
                .launcher()
                .workers(2)
                .gpu("amd.com/gpu", 8)
                .build();

        assertThat(amd.plan().replica("launcher", 0).env().get("EDL_HOROVODRUN"))
                .isEqualTo("-np 16 -H elasticdl-h-worker-0.default.svc:8,elasticdl-h-worker-1.default.svc:8");
    }

    @Test
    void mpijob_s_launcher_has_kubeflow_s_variables() {
        Job job = elasticTraining(4).build();

        assertThat(job.plan(Profile.KUBEFLOW_V1).replica("launcher", 0).env())
                .containsExactly(
                        entry("I_MPI_HYDRA_BOOTSTRAP", "rsh"),
                        entry("I_MPI_HYDRA_BOOTSTRAP_EXEC", "/etc/mpi/kubexec.sh"),
                        entry("NVIDIA_DRIVER_CAPABILITIES", ""),
                        entry("NVIDIA_VISIBLE_DEVICES", ""),
                        entry("OMPI_MCA_orte_default_hostfile", "/etc/mpi/hostfile"),
                        entry("OMPI_MCA_plm_rsh_agent", "/etc/mpi/kubexec.sh"));
        assertThat(HorovodHosts.of(job.plan(Profile.KUBEFLOW_V1)).hostfile())
                .isEqualTo("elastic-training-worker-0 slots=1\nelastic-training-worker-1 slots=1\n");
    }

    @Test
    void elastic_arguments_are_read_back_in_any_order() {
        HorovodElastic elastic = new HorovodElastic(
                2,
                new ElasticBounds(1, 4),
                "/etc/edl/discover_hosts.sh",
                OptionalInt.of(2),
                OptionalInt.of(600),
                OptionalInt.of(3));
        List<String> turned = new ArrayList<>(elastic.arguments().subList(8, 14));
        turned.addAll(elastic.arguments().subList(0, 8));

        assertThat(elastic)
                .hasToString("-np 2 --min-np 1 --max-np 4 --host-discovery-script /etc/edl/discover_hosts.sh"
                        + " --slots-per-host 2 --elastic-timeout 600 --reset-limit 3");
        assertThat(HorovodElastic.parse(turned)).isEqualTo(elastic);
    }

    @Test
    void wrong_elastic_arguments_are_reported() {
        assertThatThrownBy(() -> HorovodElastic.parse(List.of("-H", "a:1")))
                .hasMessage("\"-H\" is not an elastic argument of horovodrun; valid are -np, --min-np, --max-np,"
                        + " --host-discovery-script, --slots-per-host, --elastic-timeout, --reset-limit");
        assertThatThrownBy(() -> HorovodElastic.parse(List.of("-np"))).hasMessage("-np must be followed by a value");
        assertThatThrownBy(() -> HorovodElastic.parse(
                        List.of("-np", "9", "--min-np", "1", "--max-np", "4", "--host-discovery-script", "/d")))
                .hasMessage("-np must lie within 1..4, was 9");
    }
}
