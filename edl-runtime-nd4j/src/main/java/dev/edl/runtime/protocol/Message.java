package dev.edl.runtime.protocol;

/**
 * A message of the protocol. Each carries what fences it: an order of the master its term, what a worker asks of a shard the
 * shard's life, an answer the number of the request. So a message that is late, or comes again, changes nothing.
 */
public sealed interface Message
        permits MasterToShard, MasterToWorker, ShardToMaster, ShardToWorker, WorkerToMaster, WorkerToShard {}
