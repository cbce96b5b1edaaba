"""What a state of the automaton is: a set of cells, each a way to read on (see `automaton`).

cells        one way to read on: a frame, and what comes behind it
counting     a frame whose characters are counted
memory       what a cell remembers: the items of a list that must differ, or names
variety      how many different values can still be written, at least
remembering  reading with a memory: which ways it leaves open
shapes       what frames and cells read, as numbers: equal ones share their masks
parts        these parts, each made once, so that equal states are the same objects
table        the states by number; those with a memory are forgotten in time, and made again
"""
