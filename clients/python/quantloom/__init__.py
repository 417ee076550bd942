"""Client of the Quantloom API."""

from .client import ApiError, Quantloom

__all__ = ["ApiError", "Quantloom"]
