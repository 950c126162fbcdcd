package dev.edl.operators;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.InvalidJobException;
import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.mxjob.MxJobGroup;
import dev.edl.operators.crd.tfjob.TfJobRelease;
import dev.edl.plan.JobPlan;
import dev.edl.plan.PlanException;
import dev.edl.plan.RolePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** For every mix of roles, elastic or not, in every kind of resource, the plan equals the operator's objects. */
class PlansOfResourcesTest {
    /** One setting of a job; several settings make a mix. */
    private record Choice(String name, Consumer<JobBuilder> said) {
        static final Choice NOTHING = new Choice("", job -> {});

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Arguments> kinds() {
        List<Choice> workers = workers(1, 3);
        List<Choice> tensorflow = List.of(new Choice("tensorflow", JobBuilder::tensorflow));
        List<Choice> mxnet = List.of(new Choice("mxnet", JobBuilder::mxnet));
        List<Choice> horovod = List.of(new Choice("horovod", JobBuilder::horovod));
        List<List<Choice>> tf = List.of(
                tensorflow,
                maybe(new Choice("chief", JobBuilder::chief), new Choice("master", JobBuilder::master)),
                maybe(
                        new Choice("ps", job -> job.ps(1)),
                        new Choice("2 ps", job -> job.ps(2).port(2300))),
                workers,
                maybe(new Choice("evaluator", JobBuilder::evaluator)));
        List<List<Choice>> mx = List.of(
                mxnet,
                maybe(new Choice("scheduler", job -> job.scheduler().port(9000))),
                maybe(new Choice("server", job -> job.servers(1)), new Choice("2 servers", job -> job.servers(2))),
                workers);
        List<List<Choice>> mpi = List.of(
                horovod,
                maybe(
                        new Choice("launcher", JobBuilder::launcher),
                        new Choice("launcher with a GPU", job -> job.launcher().gpu(1)),
                        new Choice(
                                "launcher with a GPU of AMD",
                                job -> job.launcher().gpu("amd.com/gpu", 1)),
                        new Choice("launcher with none", job -> job.launcher().gpu(0)),
                        new Choice(
                                "launcher with a slice", job -> job.launcher().gpu("nvidia.com/mig-1g.5gb", 1)),
                        new Choice("launcher of Intel", job -> job.launcher().env("I_MPI_HYDRA_BOOTSTRAP", "ssh"))),
                workers);
        List<List<Choice>> torch = List.of(
                List.of(new Choice("pytorch", JobBuilder::pytorch)),
                maybe(
                        new Choice("master", JobBuilder::master),
                        new Choice("port", job -> job.master().port(29500))),
                workers);
        List<Arguments> kinds = new ArrayList<>(List.of(
                Arguments.of(CustomResourceKind.kubeflowTfJob(), tf, 80),
                Arguments.of(CustomResourceKind.kubeflowPyTorchJob(), torch, 15),
                Arguments.of(CustomResourceKind.kubeflowMxJob(), mx, 30),
                Arguments.of(CustomResourceKind.kubeflowMpiJob(), mpi, 30),
                Arguments.of(CustomResourceKind.trainingJob(), mpi, 30)));
        for (MxJobGroup group : MxJobGroup.values()) {
            kinds.add(Arguments.of(CustomResourceKind.mxJob(group), mx, 10));
        }
        for (TfJobRelease release : List.of(TfJobRelease.TENSORFLOW, TfJobRelease.RENAMED, TfJobRelease.KUBEFLOW)) {
            kinds.add(Arguments.of(CustomResourceKind.tfJob(release), tf, 20));
        }
        return kinds.stream();
    }

    private static List<Choice> maybe(Choice... choices) {
        return Stream.concat(Stream.of(Choice.NOTHING), Stream.of(choices)).toList();
    }

    private static List<Choice> workers(int... counts) {
        List<Choice> choices = new ArrayList<>(maybe());
        for (int count : counts) {
            choices.add(new Choice(count + " workers", job -> job.workers(count)));
            choices.add(new Choice(
                    count + " workers of 1..8", job -> job.workers(count).elastic(1, 8)));
            choices.add(new Choice(
                    count + " workers of just as many",
                    job -> job.workers(count).elastic(count, count)));
        }
        return choices;
    }

    private static List<List<Choice>> mixes(List<List<Choice>> things) {
        List<List<Choice>> mixes = List.of(List.of());
        for (List<Choice> choices : things) {
            mixes = mixes.stream()
                    .flatMap(mix -> choices.stream()
                            .map(choice -> Stream.concat(mix.stream(), Stream.of(choice))
                                    .toList()))
                    .toList();
        }
        return mixes;
    }

    /**
     * A mix that is not a valid job or plan, or that the resource cannot express, is rejected by both sides.
     *
     * @param least the smallest number of mixes that must remain
     */
    @ParameterizedTest
    @MethodSource("kinds")
    void a_plan_equals_the_operators_objects(CustomResourceKind kind, List<List<Choice>> things, int least) {
        int seen = 0;
        for (List<Choice> mix : mixes(things)) {
            Job job;
            JobPlan plan;
            ResourceWriteResult result;
            try {
                JobBuilder builder =
                        Job.named("mix").namespace("team").image("a:1").env("SEED", "1");
                mix.forEach(choice -> choice.said().accept(builder));
                job = builder.build();
                plan = job.plan(kind.profile());
                result = kind.write(job, plan, PodOptions.none());
            } catch (InvalidJobException | PlanException | InvalidResourceException e) {
                continue;
            }
            seen++;
            CustomObject resource = CustomObject.fromYaml(result.toYaml());
            agree(kind + " of " + mix, plan, resource);
            if (result.losses().stream().noneMatch(loss -> loss.path().endsWith(".elastic"))) {
                agree(kind + " of " + mix + ", read", kind.read(resource).job().plan(kind.profile()), resource);
            }
        }
        assertThat(seen).as("mixes of %s", kind).isGreaterThanOrEqualTo(least);
    }

    private static void agree(String what, JobPlan plan, CustomObject resource) {
        for (RolePlan role : plan.roles()) {
            for (int index = 0; index < role.replicas(); index++) {
                Map<String, String> made = new TreeMap<>(OperatorModel.given(resource, role.type()));
                made.putAll(OperatorModel.of(resource, role.type(), index));
                assertThat(plan.replica(role.type().id(), index).env())
                        .as("%s: %s %d", what, role.type(), index)
                        .isEqualTo(made);
            }
        }
    }
}
