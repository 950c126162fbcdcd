package dev.edl.operators.crd.internal;

import dev.edl.plan.RolePlan;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.ReplicaState;
import dev.edl.status.ReplicaStage;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * States of a role's replicas in the terms of the operators of 2017. A replica whose last end was final by the
 * operators' rule stays Failed, even if it was relaunched, because every relaunch that counts towards the limit follows
 * such an end.
 */
record LegacyReplicaStates(String type, Map<String, Integer> states) {
    static LegacyReplicaStates of(RolePlan role, JobState state) {
        Map<String, Integer> states = new TreeMap<>();
        Collection<ReplicaState> all = state.replicas().values();
        all.stream()
                .filter(replica ->
                        replica.role() == role.type() && replica.stage().occupiesSlot())
                .forEach(replica -> states.merge(word(replica), 1, Integer::sum));
        return new LegacyReplicaStates(role.type().name(), states);
    }

    private static String word(ReplicaState replica) {
        if (replica.stage() == ReplicaStage.SUCCEEDED) {
            return "Succeeded";
        }
        if (replica.stage() == ReplicaStage.FAILED || replica.relaunchesUsed() > 0) {
            return "Failed";
        }
        return replica.stage() == ReplicaStage.RUNNING ? "Running" : "Starting";
    }

    /**
     * Returns the state of the whole role by the operators' rule: the worst state of its replicas, or Succeeded when
     * all have succeeded.
     */
    private String state() {
        for (String word : new String[] {"Failed", "Running", "Starting", "Succeeded"}) {
            if (states.containsKey(word)) {
                return word;
            }
        }
        return "Unknown";
    }

    Map<String, Object> written(String key) {
        return OrderedMaps.of(key, type, "state", state(), "ReplicasStates", states);
    }
}
