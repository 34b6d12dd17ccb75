package mpj;

/** An ordered set of processes. */
public class Group extends mpi.Group {
    Group(mpi.Group other) {
        super(other);
    }

    @Override
    public Group Incl(int[] ranks) {
        return new Group(super.Incl(ranks));
    }

    @Override
    public Group Excl(int[] ranks) {
        return new Group(super.Excl(ranks));
    }

    @Override
    public Group Range_incl(int[][] ranges) {
        return new Group(super.Range_incl(ranges));
    }

    @Override
    public Group Range_excl(int[][] ranges) {
        return new Group(super.Range_excl(ranges));
    }

    public static Group Union(mpi.Group group1, mpi.Group group2) {
        return new Group(mpi.Group.Union(group1, group2));
    }

    public static Group Intersection(mpi.Group group1, mpi.Group group2) {
        return new Group(mpi.Group.Intersection(group1, group2));
    }

    public static Group Difference(mpi.Group group1, mpi.Group group2) {
        return new Group(mpi.Group.Difference(group1, group2));
    }
}
