"""Data sets, measurements and the fitting of what is fitted; a package of its own, no part of Brain's.

May import every room; nobody imports it. By entry points it adds ``brain eval`` and a check of the doctor.
Begin with ``README.md``: what was measured, with which command, and what came out.
"""
