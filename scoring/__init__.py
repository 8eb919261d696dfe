"""The rules of a tournament, as computation: values in, values out.

Standard library only. No clock, no dice, no database, no translated text, and never a float:
points are exact fractions, whole twelfths inside.
"""
