"""Every money case."""

from __future__ import annotations

import json
import unittest

from cases import name_of, read
from tollgate import TollgateError, from_minor_units, to_minor_units


def convert(case):  # type: ignore[no-untyped-def]
    try:
        if "to_minor_units" in case:
            return to_minor_units(*case["to_minor_units"])
        return from_minor_units(*case["from_minor_units"])
    except TollgateError as error:
        return {"error": name_of(error), "code": error.code}


class MoneyCases(unittest.TestCase):
    def test_convert(self) -> None:
        for case in read("money.json")["cases"]:
            with self.subTest(json.dumps(case)):
                result = convert(case)
                self.assertEqual((type(result), result), (type(case["expect"]), case["expect"]))

    def test_reverse_each_other(self) -> None:
        for decimals in range(9):
            for minor_units in (0, 1, -1, 9, 10, 99, 1_005, -1_005, 2**53 - 1):
                self.assertEqual(to_minor_units(from_minor_units(minor_units, decimals), decimals), minor_units)
