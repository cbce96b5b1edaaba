"""Signatures and programs of Python; parsed, never executed.

Cut into signatures      `signatures` has the tools; `cutting`, `header`, `bodies`, `class_bodies`, `statements`,
                         `scanner`: where each one begins and ends; `not_signatures`: what a line is that is none
Their parameters         `parameters`: as Python's parser has them (`syntax`); `parameter_schemas`, `given_schemas`,
                         `injected`: which are asked for; `annotations`, `plain_types`, `typos`: of which type
Types of the text        `scopes`: what the text defines; `classes`, `enums`, `fields`, `pydantic_models`
What is said beside      `docstrings`; `metadata`: by decorators and classes; `registrations`: by calls and lists
Classes that are tools   `class_tools`; `frameworks`: what frameworks call all this
Tools as data            `program_data`, `tree_values`; `literals`: plain values

>>> from tooldec.signatures import parse_tools
>>> parse_tools("class Add(BaseModel):\\n    a: int")[0].signature()
'Add(a: int)'
"""
