/**
 * The immutable description of a job: how many ranks, where they are, and the secret that they share.
 */
package org.gridmpj.job;
