"""Declarations of TypeScript, and plain values as JavaScript writes them; read token by token, never executed.

declarations     functions and types, as chat models are shown them
functions        which of them are tools, wherever they stand
types            types; `library`: those that have names, `operators`: what is made of types
jsdoc            what comments say of parameters
tokens           a row of tokens, read from the left; `lexer`: the words, texts, numbers and marks it is cut into
program          what stands where in a program, and what its names stand for; `closures`: its functions
js_values        lists and objects as plain values; `fragments`: pasted without the braces around them

>>> from tooldec.signatures import parse_tools
>>> parse_tools("function add(a: number, b?: number): number;")[0].signature()
'add(a: float, b: float = null)'
"""
