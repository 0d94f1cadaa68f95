"""Importing this loads the encoder of sentences, so that forks of the process have it."""

from language.encoder import sentence_encoder

sentence_encoder().load()
