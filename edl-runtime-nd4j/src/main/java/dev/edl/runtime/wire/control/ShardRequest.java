package dev.edl.runtime.wire.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.ps.ShardLife;

/**
 * Body of a master's request to a shard.
 *
 * @param life life of the shard that the request is for; any other refuses it
 * @param upload id of the upload that the result is sent by if it is too large for a message
 * @param arguments arguments of the method
 */
record ShardRequest(ShardLife life, long upload, JsonNode arguments) {}
