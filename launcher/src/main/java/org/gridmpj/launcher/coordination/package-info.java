/**
 * What the parts of a job must agree on though any of them may die: members, incarnations, the committed epoch and the
 * job's state. Held by the launcher in the job folder, or by ZooKeeper.
 */
package org.gridmpj.launcher.coordination;
