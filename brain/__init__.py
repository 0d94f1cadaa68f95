"""The run: state, context, identity, settings, models and resources."""
