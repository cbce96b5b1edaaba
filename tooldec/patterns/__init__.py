"""Regular expressions as grammars over the bytes of UTF-8; nothing is ever matched by an engine.

expressions  reads a pattern of ECMA-262 into a tree
trees        the terms of such a tree, and what can be told of a term by itself
rewriting    what means the same, and depends less on what stands around it
regex        a tree as a grammar, from its last part to its first
codepoints   sets of code points: classes, and Unicode's properties
utf8         sets of code points as grammars over bytes
"""
