"""Tools that everybody uses; they know no person, no game and no setting of the house."""
