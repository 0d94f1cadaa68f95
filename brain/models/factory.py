"""Which models a run has: those of the settings, or none."""

from brain.models.roles import Models, ModelSettings


def build_models(settings: ModelSettings) -> Models:
    """Both roles over one connection pool; nothing is contacted before the first call."""
    if not settings.is_configured:
        return Models()
    from brain.models.openai import connect  # the client takes 0.4 s to import, which a run on rules need not wait for

    return connect(settings)
