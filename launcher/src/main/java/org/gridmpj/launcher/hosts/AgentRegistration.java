package org.gridmpj.launcher.hosts;

import java.util.LinkedHashMap;
import java.util.Map;
import org.gridmpj.launcher.Json;
import org.jspecify.annotations.Nullable;

/**
 * What an agent says of itself in ZooKeeper, as JSON of version 1.
 *
 * @param host name of the host, by which users call it
 * @param address that launchers, other agents and ranks of other hosts dial
 * @param port of the agent
 * @param slots ranks that the host is good for
 * @param used ranks that run there now
 * @param instance a random number of this agent: a pid may be the same each time, as in a container. Of an agent that says
 *     none, its pid
 */
public record AgentRegistration(String host, String address, int port, int slots, int used, long instance) {
    private static final long VERSION = 1;

    /** The same with another number of ranks. */
    public AgentRegistration withUsed(int nowUsed) {
        return new AgentRegistration(host, address, port, slots, nowUsed, instance);
    }

    /** Of this process's agent. */
    String text() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("version", VERSION);
        json.put("host", host);
        json.put("address", address);
        json.put("port", port);
        json.put("slots", slots);
        json.put("used", used);
        json.put("pid", ProcessHandle.current().pid());
        json.put("instance", instance);
        return Json.write(json);
    }

    /** Throws IllegalArgumentException for anything that {@link #text} did not write. */
    static AgentRegistration parse(String text) {
        Map<String, @Nullable Object> json = Json.parseObject(text);
        if (!Long.valueOf(VERSION).equals(json.get("version"))) {
            throw new IllegalArgumentException("an agent's registration of version " + json.get("version"));
        }
        return new AgentRegistration(
                String.valueOf(json.get("host")),
                String.valueOf(json.get("address")),
                Math.toIntExact(number(json, "port")),
                Math.toIntExact(number(json, "slots")),
                Math.toIntExact(number(json, "used")),
                number(json, json.containsKey("instance") ? "instance" : "pid"));
    }

    private static long number(Map<String, @Nullable Object> json, String key) {
        if (json.get(key) instanceof Long number) {
            return number;
        }
        throw new IllegalArgumentException("member " + key + " is " + json.get(key));
    }
}
