"""The panel at ``/panel``: what is remembered, where it comes from and why it was used, in a browser.

Pages are rendered here; a browser gets HTML, one style sheet and one small script, and asks nobody else for anything.
"""
