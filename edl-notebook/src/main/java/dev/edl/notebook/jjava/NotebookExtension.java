package dev.edl.notebook.jjava;

import dev.edl.Job;
import dev.edl.exec.JobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.explain.JobExplanation;
import dev.edl.k8s.preflight.PreflightReport;
import dev.edl.k8s.render.Manifests;
import dev.edl.notebook.CustomResourceHtml;
import dev.edl.notebook.EdlNotebook;
import dev.edl.notebook.JobHtml;
import dev.edl.notebook.KubernetesHtml;
import dev.edl.notebook.PlanDiffHtml;
import dev.edl.notebook.SimulatedClusterHtml;
import dev.edl.notebook.TrainingHtml;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.PredictionResult;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.program.TrainingSummary;
import dev.edl.status.JobEvents;
import dev.edl.testkit.PlanDiff;
import dev.edl.testkit.cluster.SimulatedCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.function.Function;
import org.dflib.jjava.jupyter.Extension;
import org.dflib.jjava.jupyter.kernel.BaseKernel;
import org.dflib.jjava.jupyter.kernel.display.Renderer;
import org.dflib.jjava.jupyter.kernel.display.mime.MIMEType;

/**
 * Kernel extension that shows EDL's values as tables and pictures, and adds imports for cells. The kernel finds it in
 * any jar on its class path and calls it once.
 *
 * <p>It never throws, because that would end the kernel. If a module is missing, it logs that and skips the module's
 * types. Uses only the API common to JJava 1.0-a6 to 1.0-a8.
 */
public final class NotebookExtension implements Extension {
    private static final System.Logger LOG = System.getLogger(NotebookExtension.class.getName());

    /**
     * Groups of imports; each group succeeds or fails as a whole. One is for the JDK, because the kernel provides only
     * a part of JShell's default imports; each module has at least one.
     */
    private static final List<String> IMPORTS = List.of(
            imports("java.nio.file", "java.time", "java.util.function", "java.util.stream"),
            imports(
                            "dev.edl",
                            "dev.edl.elasticdl",
                            "dev.edl.env",
                            "dev.edl.exec",
                            "dev.edl.exec.local",
                            "dev.edl.explain",
                            "dev.edl.plan",
                            "dev.edl.reconcile",
                            "dev.edl.spec",
                            "dev.edl.status")
                    + " import static dev.edl.spec.Priority.HIGH; import static dev.edl.spec.Priority.LOW;",
            imports("dev.edl.k8s", "dev.edl.k8s.exec", "dev.edl.k8s.preflight", "dev.edl.k8s.render"),
            imports(
                    "dev.edl.runtime",
                    "dev.edl.runtime.data",
                    "dev.edl.runtime.data.csv",
                    "dev.edl.runtime.data.recordio",
                    "dev.edl.runtime.inprocess",
                    "dev.edl.runtime.model",
                    "dev.edl.runtime.optimizers",
                    "dev.edl.runtime.program",
                    "dev.edl.runtime.zoo"),
            imports(
                    "dev.edl.operators",
                    "dev.edl.operators.crd",
                    "dev.edl.operators.crd.et",
                    "dev.edl.operators.crd.kinds",
                    "dev.edl.operators.crd.kubeflow",
                    "dev.edl.operators.crd.mxjob",
                    "dev.edl.operators.crd.tfjob"),
            imports("dev.edl.testkit", "dev.edl.testkit.cluster")
                    + " import static dev.edl.testkit.EdlAssertions.*; import static org.assertj.core.api.Assertions.*;",
            imports("dev.edl.notebook"),
            "import static dev.edl.notebook.EdlNotebook.watch;");

    /** Creates the extension; the kernel's service loader calls it. */
    public NotebookExtension() {}

    @Override
    public void install(BaseKernel kernel) {
        attempt("jobs", () -> Jobs.register(kernel.getRenderer()));
        attempt("Kubernetes objects", () -> KubernetesObjects.register(kernel.getRenderer()));
        attempt("custom resources", () -> CustomResources.register(kernel.getRenderer()));
        attempt("trainings", () -> Trainings.register(kernel.getRenderer()));
        attempt("live cells", () -> LiveCells.register(kernel));
        attempt("simulated clusters and differences of plans", () -> Testkit.register(kernel.getRenderer()));
        IMPORTS.forEach(imports -> attempt(imports, () -> kernel.evalRaw(imports)));
    }

    private static String imports(String... packages) {
        return String.join(
                " ",
                List.of(packages).stream().map(name -> "import " + name + ".*;").toList());
    }

    /**
     * Runs a step and logs its failure at level INFO, since a class may be missing on purpose. Never throws, because
     * that would end the kernel.
     */
    private static void attempt(String what, Runnable step) {
        try {
            step.run();
        } catch (Exception | LinkageError missing) {
            LOG.log(System.Logger.Level.INFO, () -> "not in this notebook: " + what + ": " + missing);
        }
    }

    private static <T> void show(Renderer renderer, Class<T> type, Function<T, String> html) {
        renderer.createRegistration(type)
                .preferring(MIMEType.TEXT_HTML)
                .register((value, context) -> context.renderIfRequested(MIMEType.TEXT_HTML, () -> html.apply(value)));
    }

    /** Registration of module edl-api's types. Each module has such a class, so that a missing module fails alone. */
    private static final class Jobs {
        static void register(Renderer renderer) {
            show(renderer, Job.class, JobHtml::of);
            show(renderer, JobExplanation.class, JobHtml::of);
            show(renderer, JobPlan.class, JobHtml::of);
            show(renderer, ReplicaPlan.class, JobHtml::of);
            show(renderer, JobStatus.class, JobHtml::of);
            show(renderer, JobHandle.class, handle -> JobHtml.of(handle.status()));
            show(renderer, JobEvents.class, JobHtml::of);
        }
    }

    private static final class KubernetesObjects {
        static void register(Renderer renderer) {
            show(renderer, Manifests.class, KubernetesHtml::of);
            show(renderer, HasMetadata.class, KubernetesHtml::of);
            show(renderer, PodTemplateSpec.class, KubernetesHtml::of);
            show(renderer, PreflightReport.class, KubernetesHtml::of);
        }
    }

    private static final class CustomResources {
        static void register(Renderer renderer) {
            show(renderer, JobReadResult.class, CustomResourceHtml::of);
            show(renderer, ResourceWriteResult.class, CustomResourceHtml::of);
            show(renderer, CustomObject.class, CustomResourceHtml::of);
        }
    }

    private static final class Trainings {
        static void register(Renderer renderer) {
            show(renderer, TrainingResult.class, TrainingHtml::of);
            show(renderer, TrainingSummary.class, TrainingHtml::of);
            show(renderer, EvaluationResult.class, TrainingHtml::of);
            show(renderer, PredictionResult.class, TrainingHtml::of);
        }
    }

    private static final class LiveCells {
        static void register(BaseKernel kernel) {
            EdlNotebook.showOn(() -> new KernelDisplay(kernel));
        }
    }

    private static final class Testkit {
        static void register(Renderer renderer) {
            show(renderer, SimulatedCluster.class, SimulatedClusterHtml::of);
            show(renderer, PlanDiff.class, PlanDiffHtml::of);
        }
    }
}
