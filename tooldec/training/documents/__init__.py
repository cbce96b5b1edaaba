"""What the model in the box reads while it is trained: documents without end, drawn from a seed.

mixture     a document: which families of asks it draws from, how many, in which scheme
rendering   asks written as the prompt and the answer of a scheme
asks        a question, the tool that it asks for, its call; each family draws such
            arithmetic, stories, measures, knowledge, chains, composed, objects, chat
            catalogues (requests/), spoken (spoken/): what people say to tools, written by hand
varied      the same again with other values, other names, a word less; names, nouns, optional and hasty serve it
templates   sentences with gaps; phrases, values and pools (values.txt) fill them, words and inflection bend them
draw        the seed, and what is held out; vocabulary (vocabulary.txt) and lexicon hold the words
"""
