"""Pure functions from values to pictures.

    outline  --graph-->  networkx  --dot, layout-->  Graphviz's places  --svg-->  SVG
    trace    --table-->  the rows of Table 2

bands, beside and labels find places in the picture; titles says what states are, in words; export writes the machine
as files that other programs read.
"""
