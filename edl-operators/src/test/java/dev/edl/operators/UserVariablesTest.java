package dev.edl.operators;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.et.TrainingJobs;
import dev.edl.operators.crd.internal.OperatorEnv;
import dev.edl.operators.crd.kinds.CustomResources;
import dev.edl.operators.crd.kubeflow.KubeflowMxJobs;
import dev.edl.operators.crd.kubeflow.KubeflowTfJobs;
import dev.edl.operators.crd.kubeflow.MpiJobVersion;
import dev.edl.operators.crd.kubeflow.MpiJobs;
import dev.edl.operators.crd.kubeflow.PyTorchJobs;
import dev.edl.operators.crd.mxjob.MxJobs;
import dev.edl.operators.crd.tfjob.TfJobs;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A user's variable is lost exactly where the operator sets it for this job. */
class UserVariablesTest {
    /** Variables that some operator sets, and others of the same frameworks that none sets. */
    private static final Set<String> VARIABLES = Stream.concat(
                    OperatorEnv.values().stream().map(OperatorEnv::all).flatMap(Collection::stream),
                    Stream.of(
                            "PET_TEE",
                            "PET_LOG_DIR",
                            "PET_REDIRECTS",
                            "PET_MONITOR_INTERVAL",
                            "LOCAL_RANK",
                            "DMLC_NODE_HOST",
                            "PS_VERBOSE",
                            "TF_CPP_MIN_LOG_LEVEL",
                            "OMPI_MCA_btl",
                            "HOROVOD_TIMELINE",
                            "CUDA_VISIBLE_DEVICES"))
            .collect(Collectors.toCollection(TreeSet::new));

    private static final PodOptions KUBEXEC = PodOptions.builder().kubexec().build();

    /** A job and its resource, for the operator of a table. */
    private record Case(
            String name,
            OperatorEnv env,
            JobBuilder job,
            PodOptions options,
            BiFunction<Job, PodOptions, ResourceWriteResult> write) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static JobBuilder job() {
        return Job.named("mine").image("a:1");
    }

    private static Case tf(String name, JobBuilder job) {
        return new Case("TFJob " + name, OperatorEnv.TFJOB_V1, job, PodOptions.none(), KubeflowTfJobs::write);
    }

    private static Case torch(String name, JobBuilder job) {
        return new Case("PyTorchJob " + name, OperatorEnv.PYTORCHJOB_V1, job, PodOptions.none(), PyTorchJobs::write);
    }

    private static Case mx(String name, JobBuilder job) {
        return new Case("MXJob " + name, OperatorEnv.MXJOB_V1, job, PodOptions.none(), KubeflowMxJobs::write);
    }

    private static Case firstMx(String name, JobBuilder job) {
        return new Case("MxJob " + name, OperatorEnv.MXJOB_V1BETA1, job, PodOptions.none(), MxJobs::write);
    }

    private static Case firstTf(String name, JobBuilder job) {
        return new Case("TfJob " + name, OperatorEnv.TFJOB_V1ALPHA1, job, PodOptions.none(), TfJobs::write);
    }

    private static Case mpi(String name, MpiJobVersion version, JobBuilder job) {
        return new Case(
                "MPIJob " + name,
                version == MpiJobVersion.V1 ? OperatorEnv.MPIJOB_V1 : OperatorEnv.MPIJOB_V2BETA1,
                job,
                PodOptions.none(),
                (one, options) -> MpiJobs.write(one, options, version));
    }

    private static Case et(String name, PodOptions options) {
        JobBuilder job = job().horovod().launcher().workers(2).elastic(1, 4);
        return new Case("TrainingJob " + name, OperatorEnv.ET_V1ALPHA1, job, options, TrainingJobs::write);
    }

    static List<Case> cases() {
        return List.of(
                tf("of one worker", job().tensorflow().workers(1)),
                tf("of two workers", job().tensorflow().workers(2)),
                tf("of a chief alone", job().tensorflow().chief()),
                tf("of an elastic worker", job().tensorflow().workers(1).elastic(1, 4)),
                tf("of a worker and a ps", job().tensorflow().workers(1).ps(1)),
                torch("of workers", job().pytorch().workers(2)),
                torch("of a master", job().pytorch().master()),
                torch("of a master and workers", job().pytorch().master().workers(2)),
                torch("of elastic workers", job().pytorch().workers(2).elastic(1, 4)),
                torch(
                        "of a master and elastic workers",
                        job().pytorch().master().workers(2).elastic(1, 4)),
                mx("of a worker", job().mxnet().workers(1)),
                mx("of all roles", job().mxnet().scheduler().servers(2).workers(2)),
                firstMx("of a worker", job().mxnet().workers(1)),
                firstMx("of all roles", job().mxnet().scheduler().servers(2).workers(2)),
                firstTf("of a master", job().tensorflow().master()),
                firstTf("of all roles", job().tensorflow().master().ps(2).workers(2)),
                mpi("v1", MpiJobVersion.V1, job().horovod().launcher().workers(2)),
                mpi(
                        "v1 with a GPU",
                        MpiJobVersion.V1,
                        job().horovod().launcher().gpu(1).workers(2)),
                mpi("v2beta1", MpiJobVersion.V2BETA1, job().horovod().launcher().workers(2)),
                et("by ssh", PodOptions.none()),
                et("by kubexec", KUBEXEC));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void written_it_is_lost_where_the_operator_sets_it(Object given) {
        Case one = (Case) given;
        JobBuilder builder = one.job().build().toBuilder();
        VARIABLES.forEach(name -> builder.env(name, "mine"));
        ResourceWriteResult result = one.write().apply(builder.build(), one.options());

        for (RoleSpec role : one.job().build().roles()) {
            Set<String> set = set(one.env(), result.resource(), role.type());
            String path = role.type() + ".env.";

            assertThat(result.losses())
                    .as("%s: losses of %s", one, role.type())
                    .filteredOn(loss -> loss.path().startsWith(path))
                    .allSatisfy(loss -> assertThat(loss.why()).isEqualTo("the operator sets it"))
                    .extracting(loss -> loss.path().substring(path.length()))
                    .containsExactlyInAnyOrderElementsOf(set);
            assertThat(OperatorModel.given(result.resource(), role.type()).keySet())
                    .as("%s: variables of %s", one, role.type())
                    .containsExactlyInAnyOrderElementsOf(without(set));
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void read_it_is_lost_where_the_operator_sets_it(Object given) {
        Case one = (Case) given;
        CustomObject resource = withVariables(
                one.write().apply(one.job().build(), one.options()).resource());
        JobReadResult result = CustomResources.read(resource);

        List<String> sets = new ArrayList<>();
        for (RoleSpec role : result.job().roles()) {
            Set<String> set = set(one.env(), resource, role.type());
            sets.addAll(set);
            assertThat(result.job().spec().effective(role).env().keySet())
                    .as("%s: variables of %s", one, role.type())
                    .containsExactlyInAnyOrderElementsOf(without(set));
        }
        assertThat(result.losses())
                .as("%s: losses", one)
                .filteredOn(loss -> loss.why().equals(OperatorEnv.WHY))
                .extracting(loss -> loss.value().replaceAll(".*\"name\":\"([A-Z_a-z]+)\".*", "$1"))
                .containsExactlyInAnyOrderElementsOf(sets);
    }

    /** The model's variables must equal the table's. */
    private static Set<String> set(OperatorEnv table, CustomObject resource, RoleType role) {
        Set<String> set = OperatorModel.of(resource, role, 0).keySet();
        Map<?, ?> spec = resource.fields().get("spec") instanceof Map<?, ?> map ? map : Map.of();
        assertThat(table.sets(spec, role)).as("%s of %s", table, resource).isEqualTo(set);
        return set;
    }

    private static Set<String> without(Set<String> set) {
        Set<String> others = new TreeSet<>(VARIABLES);
        others.removeAll(set);
        return others;
    }

    @SuppressWarnings("unchecked") // a copy of plain data
    private static CustomObject withVariables(CustomObject resource) {
        Map<String, Object> fields = (Map<String, Object>) copy(resource.fields());
        return CustomObject.of(fields);
    }

    /** Returns a copy in which each container has all of them. */
    private static Object copy(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, one) -> copy.put(String.valueOf(key), copy(one)));
            if (map.containsKey("image")) {
                copy.put(
                        "env",
                        VARIABLES.stream()
                                .map(name -> Map.of("name", name, "value", "mine"))
                                .toList());
            }
            return copy;
        }
        return value instanceof List<?> list
                ? list.stream().map(one -> copy(one)).toList()
                : value;
    }

    @Test
    void a_variable_of_a_secret_is_lost_as_well() {
        Job job = job().pytorch()
                .workers(2)
                .secretEnv("PET_NNODES", "torch", "nodes")
                .secretEnv("MASTER_ADDR", "torch", "master")
                .build();

        assertThat(PyTorchJobs.write(job).losses())
                .extracting(ConversionLoss::path)
                .contains("worker.secretEnv.PET_NNODES")
                .doesNotContain("worker.secretEnv.MASTER_ADDR");
    }

    @Test
    void the_variables_of_an_elastic_policy_are_lost_with_its_keys() {
        String yaml = """
                apiVersion: kubeflow.org/v1
                kind: PyTorchJob
                metadata: {name: x}
                spec:
                  elasticPolicy: {POLICY}
                  pytorchReplicaSpecs:
                    worker:
                      replicas: 2
                      template:
                        spec:
                          containers:
                            - name: pytorch
                              image: a:1
                              env:
                                - {name: PET_MAX_RESTARTS, value: "3"}
                                - {name: PET_RDZV_ID, value: mine}
                                - {name: PET_RDZV_CONF, value: last_call_timeout=3}
                                - {name: PET_STANDALONE, value: ""}
                """;

        assertThat(env(yaml.replace("POLICY", "maxReplicas: 2, standalone: false")))
                .containsExactlyInAnyOrder("PET_MAX_RESTARTS", "PET_RDZV_ID", "PET_RDZV_CONF", "PET_STANDALONE");
        assertThat(env(yaml.replace("POLICY", "maxRestarts: 1, rdzvId: y")))
                .containsExactlyInAnyOrder("PET_RDZV_CONF", "PET_STANDALONE");
        assertThat(env(yaml.replace("POLICY", "rdzvConf: [{key: a, value: b}], standalone: true")))
                .containsExactlyInAnyOrder("PET_MAX_RESTARTS", "PET_RDZV_ID");
    }

    private static Set<String> env(String yaml) {
        return PyTorchJobs.read(yaml).job().roles().get(0).template().env().keySet();
    }

    @Test
    void the_mpi_implementation_determines_the_launchers_variables() {
        String yaml = MpiJobs.write(job().horovod().launcher().workers(2).build(), MpiJobVersion.V2BETA1)
                .toYaml();
        for (String field :
                List.of("mpiImplementation: Intel", "mpiImplementation: MPICH", "runLauncherAsWorker: true")) {
            CustomObject resource =
                    withVariables(CustomObject.fromYaml(yaml.replace("\nspec:\n", "\nspec:\n  " + field + "\n")));

            assertThat(CustomResources.read(resource)
                            .job()
                            .roles()
                            .get(0)
                            .template()
                            .env()
                            .keySet())
                    .as(field)
                    .containsExactlyInAnyOrderElementsOf(
                            without(set(OperatorEnv.MPIJOB_V2BETA1, resource, RoleType.LAUNCHER)));
        }
    }

    /** et-operator and both MPI operators set their variables in the first container, whatever its name. */
    @Test
    void in_a_container_that_is_not_the_first_nothing_is_set() {
        JobReadResult result = MpiJobs.read("""
                apiVersion: kubeflow.org/v1
                kind: MPIJob
                metadata: {name: x}
                spec:
                  mpiReplicaSpecs:
                    Launcher:
                      template:
                        spec:
                          containers:
                            - {name: log, image: "l:1"}
                            - {name: mpi, image: "a:1", env: [{name: OMPI_MCA_plm_rsh_agent, value: ssh}]}
                    Worker:
                      template: {spec: {containers: [{name: mpi, image: "a:1"}]}}
                """);

        assertThat(result.job().roles().get(0).template().env()).containsEntry("OMPI_MCA_plm_rsh_agent", "ssh");
    }

    @Test
    void a_variable_set_only_by_options_is_reported() {
        PodOptions options = PodOptions.builder()
                .role("worker", worker -> worker.secretEnv("PET_NNODES", "torch", "nodes"))
                .build();

        assertThat(PyTorchJobs.write(job().pytorch().workers(2).build(), options)
                        .losses())
                .extracting(ConversionLoss::toString)
                .contains("options.worker.env.PET_NNODES = PET_NNODES: the operator sets it");
    }
}
