"""Tools that are data already: JSON, YAML, descriptions of web APIs.

json_tools       lists of functions, in the forms of model APIs, MCP servers and benchmarks
keys             what their keys are called, whoever wrote them
json_entries     what of a JSON text should be a tool
json_text        JSON values inside of a text, and where what can't be read stands
other_shapes     functions written otherwise, brought into the usual shape
schema           the schema of a tool's arguments, checked and brought into JSON Schema's own words
yaml_tools       the same lists in YAML
openapi          the operations of an OpenAPI document
discovery        the methods of a discovery document of Google
references       its `$ref`
others           documents that are no tools, and what of them would work
documents        a whole document, and where its parts stand; `yaml_text`: YAML as plain values

>>> from tooldec.signatures import parse_tools
>>> [tool.name for tool in parse_tools("tools:\\n- name: now\\n- name: add")]
['now', 'add']
"""
