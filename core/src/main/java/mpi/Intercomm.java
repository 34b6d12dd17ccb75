package mpi;

import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.IntercommCreation;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.CallJournal;

/** A communicator of two groups: messages go to the other one (MPI standard, 7.6). */
public class Intercomm extends Comm {
    Intercomm(Communicator communicator) {
        super(communicator);
    }

    @Override
    public Intercomm clone() {
        return inherit(new Intercomm(duplicate()));
    }

    /** Number of processes of the other group. */
    public int Remote_size() {
        return Remote_group().Size();
    }

    /** The other group. */
    public Group Remote_group() {
        return new Group(called("Remote_group").remoteGroup());
    }

    /** One communicator of both groups; the group that says high comes second (MPI_Intercomm_merge). */
    public Intracomm Merge(boolean high) {
        try (CallJournal _ = enter()) {
            return inherit(new Intracomm(IntercommCreation.merge(open("Merge"), high)));
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }
}
