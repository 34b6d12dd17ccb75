package org.gridmpj.launcher.job;

import java.nio.charset.StandardCharsets;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;

/** A registration as of an agent of another version, until it is closed. */
final class UnreadableAgent implements AutoCloseable {
    private final CuratorFramework client;

    UnreadableAgent(String zookeeper, String host) throws Exception {
        client = CuratorFrameworkFactory.newClient(zookeeper, new RetryOneTime(100));
        client.start();
        client.create()
                .orSetData()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL)
                .forPath("/gridmpj/agents/" + host, "{\"version\": 2}".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        client.close();
    }
}
