"""From bytes to tokens: which tokens of a vocabulary can be read from a cell (see `token_fsm`).

walk       the automaton and the trie of the vocabulary walked together
masks      what is found once for each vocabulary and submachine, and kept
repeats    the tokens that would repeat an item of a list whose items must differ
retracing  the tokens by which a string goes on as another one does
"""
