"""Exact conversion between amounts and minor units."""

from __future__ import annotations

import re
from typing import Optional, Union

from ._arguments import is_int
from .errors import InvalidArgumentError

#: ISO 4217 currencies by number of decimals, as the API accepts them.
_CURRENCIES_BY_EXPONENT = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
    2: """AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP
        CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR
        IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN
        NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP
        STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG""",
    3: "BHD IQD JOD KWD LYD OMR TND",
}
CURRENCY_EXPONENTS = {code: exponent for exponent, codes in _CURRENCIES_BY_EXPONENT.items() for code in codes.split()}

#: Digits, and after a point more digits. No exponent, no thousands separator: these differ between countries.
_DECIMAL = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?")
#: No currency has more. Protects from a number that is an amount by mistake.
_MAX_EXPONENT = 8
#: The largest integer that JSON carries exactly in every language.
_MAX_MINOR_UNITS = 2**53 - 1
_MAX_DIGITS = len(str(_MAX_MINOR_UNITS))


def to_minor_units(amount: str, currency: Union[str, int]) -> int:
    """Converts an amount to minor units, exactly: ``to_minor_units("12.50", "EUR")`` is 1250.

    For a currency that this release does not know, pass its number of decimals.
    """
    exponent = _decimals_of(currency)
    match = _DECIMAL.fullmatch(amount) if isinstance(amount, str) else None
    if match is None:
        raise _invalid("invalid-amount", 'The amount must be a string such as "12.50".')
    sign, whole, fraction = match.group(1), match.group(2), (match.group(3) or "").rstrip("0")
    if len(fraction) > exponent:
        raise _invalid("amount-too-precise", f"The amount has more than the {exponent} decimals of the currency.")
    digits = (whole + fraction.ljust(exponent, "0")).lstrip("0") or "0"
    if len(digits) > _MAX_DIGITS or int(digits) > _MAX_MINOR_UNITS:
        raise _out_of_range()
    return -int(digits) if sign else int(digits)


def from_minor_units(minor_units: int, currency: Union[str, int]) -> str:
    """Converts minor units to an amount, exactly: ``from_minor_units(1250, "EUR")`` is ``"12.50"``."""
    exponent = _decimals_of(currency)
    if not is_int(minor_units) or abs(minor_units) > _MAX_MINOR_UNITS:
        raise _out_of_range()
    digits = str(abs(minor_units)).rjust(exponent + 1, "0")
    whole, fraction = digits[: len(digits) - exponent], digits[len(digits) - exponent :]
    return ("-" if minor_units < 0 else "") + whole + (f".{fraction}" if fraction else "")


def _decimals_of(currency: Union[str, int]) -> int:
    exponent: Optional[object] = CURRENCY_EXPONENTS.get(currency.upper()) if isinstance(currency, str) else currency
    if isinstance(currency, str) and exponent is None:
        message = "The currency must be an active ISO 4217 code, or its number of decimals."
        raise _invalid("unsupported-currency", message)
    if is_int(exponent) and 0 <= exponent <= _MAX_EXPONENT:  # type: ignore[operator]
        return exponent  # type: ignore[return-value]
    raise _invalid("unsupported-currency", f"The number of decimals must be an integer from 0 to {_MAX_EXPONENT}.")


def _out_of_range() -> InvalidArgumentError:
    return _invalid("amount-out-of-range", "The amount must be an integer number of minor units below 2^53.")


def _invalid(code: str, message: str) -> InvalidArgumentError:
    return InvalidArgumentError(message, code=code)
