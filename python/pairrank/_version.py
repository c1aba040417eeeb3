"""The version of the package. The builder of wheels writes it."""

__version__ = "0+unknown"
