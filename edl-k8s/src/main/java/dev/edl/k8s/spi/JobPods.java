package dev.edl.k8s.spi;

import dev.edl.exec.Subscription;
import dev.edl.exec.Substrate;
import dev.edl.k8s.exec.ExecException;
import dev.edl.k8s.exec.PodCommand;
import dev.edl.k8s.exec.PodResult;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import dev.edl.status.NodeNotice;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pods of one job that this program drives, as a watch knows them. Thread-safe. */
public interface JobPods {
    /** Returns the client of the cluster; the caller must not close it. */
    KubernetesClient client();

    /** Returns the job's plan. */
    JobPlan plan();

    /** Returns the templates from which the pods are created. */
    PodTemplates templates();

    /** Returns the substrate that creates and deletes the pods. */
    Substrate substrate();

    /** Returns the owner reference of the job's objects. */
    OwnerReference owner();

    /** Returns the token that identifies this driver. */
    String driverToken();

    /**
     * Confirms that this program still drives the job, before it changes the job.
     *
     * @throws dev.edl.exec.JobLostException when another program drives the job, or its record was deleted
     */
    void confirmDriver();

    /** Returns a pod of the job; empty when none has the name. */
    Optional<Pod> pod(String name);

    /** Returns the pods of a role, including ended ones. */
    List<Pod> ofRole(RoleType role);

    /** Returns whether the main container of a replica's pod runs and its node is reachable. */
    boolean runs(Pod pod);

    /** Returns the replicas of a role on nodes that are about to go, by name, in the order of their ids. */
    Map<String, NodeNotice> nodeNotices(RoleType role);

    /** Calls {@code wake} whenever a pod of the job may have changed, until the subscription is closed. */
    Subscription onChange(Runnable wake);

    /**
     * Runs a command in a pod of the job.
     *
     * @param pod full name of the pod
     * @throws ExecException when the command has no exit code: it did not start, or its connection was lost
     * @throws InterruptedException when the waiting thread is interrupted
     */
    PodResult exec(String pod, PodCommand command) throws InterruptedException;
}
