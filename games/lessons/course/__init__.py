"""The lessons, one file each; `games.lessons.registry` has their order."""
