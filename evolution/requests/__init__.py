"""What people ask of their memory: which memories are meant, what is done to them, and how it is taken back."""
