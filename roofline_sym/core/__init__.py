"""The engine: units, quantities, equations, derivations and printing. It knows nothing of transformers."""
