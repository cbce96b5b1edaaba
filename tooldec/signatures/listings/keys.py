"""What the keys of listings are called, whoever wrote them.

{"tools": [{"function": {"parameters": {"properties": …}}}]}       LISTS, INSIDE, SCHEMAS

>>> [key for key in SCHEMAS if key.startswith("input")]
['inputSchema', 'input_schema']
"""

LISTS = ("tools", "functions", "functionDeclarations", "function_declarations", "function")
"""Keys whose value is a list of tools."""

WRAPPERS = ("result", "toolConfig", "tools", "config")
"""Keys of an object in which such a list may stand."""

INSIDE = ("function", "toolSpec")
"""Keys under which an entry may keep its function."""

SCHEMAS = (
    *("parameters", "inputSchema", "input_schema", "parametersJsonSchema", "parameters_json_schema"),
    "arguments_schema",
)
"""Keys under which a function keeps the schema of its arguments."""

LISTED = ("parameters", "params", "args")
"""Keys under which a function may list its arguments one by one."""

ELSEWHERE = ("args_schema", "arguments", "args", "params", "inputs", "parameter_definitions", "schema", "input")
"""Keys of other makers, for a schema or for parameters by their names."""

KEPT = frozenset(
    """type format description title enum const default example examples nullable minimum maximum exclusiveMinimum
    exclusiveMaximum multipleOf minLength maxLength pattern items prefixItems minItems maxItems uniqueItems properties
    additionalProperties patternProperties minProperties maxProperties anyOf oneOf allOf not $ref""".split()
)
"""What a parameter says of its values, in a list of them or in Python's `Field(…)`."""

BESIDE = ("required", "additionalProperties", "properties", "$defs", "definitions")
"""Keywords of the schema that some write beside it."""
