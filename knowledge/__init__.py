"""Knowledge Stores: what an organisation knows, apart from what a person told."""
