package dev.edl.exec;

import dev.edl.spec.RoleType;
import java.time.Duration;

/**
 * Status of one replica: a row of {@link JobStatus#table}.
 *
 * @param name the replica's name
 * @param role the replica's role
 * @param id the replica's id
 * @param ready {@code 1/1} while the replica runs, otherwise {@code 0/1}
 * @param status {@code Pending}, {@code Running}, {@code Terminating}, {@code Completed}, {@code Error}, or the
 *     one-word reason why it failed or is blocked ({@code OOMKilled}, {@code ImagePullBackOff})
 * @param restarts the number of restarts under this name
 * @param age the time since its creation was decided
 */
public record ReplicaStatus(
        String name, RoleType role, int id, String ready, String status, int restarts, Duration age) {}
