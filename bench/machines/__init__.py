"""A house on many machines, each a network namespace of this one, whose machines are killed,
cut off, slowed and healed while people play. The oracle of the soak judges.
"""
