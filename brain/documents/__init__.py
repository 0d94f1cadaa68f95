"""What is done with documents: shown to a model, rendered from memories, carried to files and back."""
