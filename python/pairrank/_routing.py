"""Metadata of scikit-learn 1.6 and later: what its tools pass on to the methods of an estimator."""

from __future__ import annotations

import copy
import inspect
from typing import Any, TypeVar

Self = TypeVar("Self", bound="Routed")


class Routed:
    """An estimator whose `fit` and `score` take arrays beside X and y."""

    def get_metadata_routing(self) -> Any:
        """Return which arrays the tools of scikit-learn pass on to `fit` and `score`.

        Returns
        -------
        MetadataRequest
            Of scikit-learn. What no request was set for is an error where it is passed.
        """
        if "_metadata_request" in self.__dict__:  # which clone copies
            return copy.deepcopy(self._metadata_request)
        try:
            from sklearn.utils.metadata_routing import MetadataRequest
        except ImportError:
            raise RuntimeError("metadata routing needs scikit-learn 1.6 or later") from None
        request = MetadataRequest(owner=type(self).__name__)
        for method in ("fit", "score"):
            for name in inspect.signature(getattr(self, method)).parameters:
                if name not in ("X", "y", "interval", "progress"):
                    getattr(request, method).add_request(param=name, alias=None)
        return request

    def set_fit_request(self: Self, **metadata: Any) -> Self:
        """Set which arrays the tools of scikit-learn pass on to `fit`, and return the estimator.

        Parameters
        ----------
        **metadata
            Names of arguments of `fit`, such as ``qid=True, sample_weight=True``: True passes one on, False does not,
            and a text is the name by which the tool is given it.

        Raises
        ------
        TypeError
            If `fit` takes no such array.
        RuntimeError
            If ``sklearn.set_config(enable_metadata_routing=True)`` was not called, or scikit-learn is older.
        """
        return self._request("fit", metadata)

    def set_score_request(self: Self, **metadata: Any) -> Self:
        """Set which arrays the tools of scikit-learn pass on to `score`, and return the estimator.

        Parameters
        ----------
        **metadata
            Names of arguments of `score`, as of `set_fit_request`.

        Raises
        ------
        TypeError
            If `score` takes no such array.
        RuntimeError
            As `set_fit_request` raises it.
        """
        return self._request("score", metadata)

    def _request(self: Self, method: str, metadata: Any) -> Self:
        request = self.get_metadata_routing()
        of = getattr(request, method)
        unknown = sorted(set(metadata) - set(of.requests))
        if unknown:
            raise TypeError(f"{method} takes no {unknown[0]}: its arrays are {', '.join(sorted(of.requests))}")
        from sklearn import get_config

        if not get_config().get("enable_metadata_routing"):
            raise RuntimeError("requests have no effect before sklearn.set_config(enable_metadata_routing=True)")
        for name, alias in metadata.items():
            of.add_request(param=name, alias=alias)
        self._metadata_request = request
        return self
