/**
 * Object graphs for tests: random ones, their comparison with identity, and the contract of object messages.
 */
package org.gridmpj.testkit.graph;
