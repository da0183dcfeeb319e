"""The methodology site: a Markdown extension, a thin MkDocs hook, and what they draw with."""
