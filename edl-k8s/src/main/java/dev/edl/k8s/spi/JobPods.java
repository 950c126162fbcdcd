package dev.edl.k8s.spi;

import dev.edl.RoleType;
import dev.edl.exec.Subscription;
import dev.edl.exec.Substrate;
import dev.edl.k8s.exec.ExecException;
import dev.edl.k8s.exec.PodCommand;
import dev.edl.k8s.exec.PodResult;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import dev.edl.status.NodeNotice;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pods of one job that is driven from here, as a watch knows them. Thread-safe. */
public interface JobPods {
    /** Returns the client that they are reached by; not to be closed. */
    KubernetesClient client();

    /** Returns the job's plan. */
    JobPlan plan();

    /** Returns the templates that they are made of. */
    PodTemplates templates();

    /** Returns the place where they are created and deleted. */
    Substrate substrate();

    /** Returns the reference of the object that owns everything of the job. */
    OwnerReference owner();

    /** Returns the mark of this driver, which tells it from every other. */
    String driverToken();

    /**
     * Makes sure that this program still drives the job, before it changes something of it.
     *
     * @throws dev.edl.exec.JobLostException when another program drives it
     */
    void confirmDriver();

    /** Returns a pod of the job; empty when there is none. */
    Optional<Pod> pod(String name);

    /** Returns the pods of a role, also those that have ended. */
    List<Pod> ofRole(RoleType role);

    /** Returns whether the container of a replica's pod runs and its node is reachable. */
    boolean runs(Pod pod);

    /** Returns the replicas of a role that run on nodes that are about to go, by name, in the order of their ids. */
    Map<String, NodeNotice> nodeNotices(RoleType role);

    /** Calls back whenever a pod may have changed, until the subscription is closed. */
    Subscription onChange(Runnable wake);

    /**
     * Runs a command in a pod of the job.
     *
     * @param pod its full name
     * @throws ExecException when it cannot be carried out
     * @throws InterruptedException when the waiting thread is interrupted
     */
    PodResult exec(String pod, PodCommand command) throws InterruptedException;
}
