"""Names of tools and arguments chosen as wholes, before the first token of one is chosen.

spelling   a text that the machine asks for, in the tokens of the model
revealing  what the model reads: its prompt and, in a call, one with the signatures that matter there
naming     how likely a model writes each tool's name, token by token
weighing   names weighed as wholes, and the shortlist that this makes
search     arguments searched for: the likeliest valid call
wholes     what the decoder asks at a step: the next token, or one of the wholes above
ranking    which tool would be called: the exact probability of every name
"""
