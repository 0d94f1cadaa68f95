"""A skill in plain Python: converts lengths, weights, volumes, areas, speeds and temperatures.

Run Brain with it: ``PYTHONPATH=examples/skills BRAIN_SKILLS=convert_units:CONVERT_UNITS brain chat``.
"""

import re
from typing import Annotated, Literal, get_args

from pydantic import Field

from memory.errors import bad_request
from skills.context import ToolContext, ToolResult
from skills.skill import Skill
from skills.tool import Arguments, Tool

Unit = Literal[
    "mm", "cm", "m", "km", "in", "ft", "yd", "mi", "nmi",
    "mg", "g", "kg", "t", "oz", "lb", "st", "jin",
    "ml", "l", "tsp", "tbsp", "cup", "pt", "gal", "fl_oz",
    "m2", "km2", "ha", "acre", "ft2", "mu",
    "m/s", "km/h", "mph", "kn",
    "C", "F", "K",
]  # fmt: skip
LENGTHS = {
    "mm": 0.001,
    "cm": 0.01,
    "m": 1.0,
    "km": 1000.0,
    "in": 0.0254,
    "ft": 0.3048,
    "yd": 0.9144,
    "mi": 1609.344,
    "nmi": 1852.0,
}
WEIGHTS = {
    "mg": 1e-6,
    "g": 0.001,
    "kg": 1.0,
    "t": 1000.0,
    "oz": 0.028349523125,
    "lb": 0.45359237,
    "st": 6.35029318,
    "jin": 0.5,
}
VOLUMES = {
    "ml": 0.001,
    "l": 1.0,
    "tsp": 0.00492892159375,
    "tbsp": 0.01478676478125,
    "cup": 0.2365882365,
    "pt": 0.473176473,
    "gal": 3.785411784,
    "fl_oz": 0.0295735295625,
}
AREAS = {"m2": 1.0, "km2": 1e6, "ha": 10_000.0, "acre": 4046.8564224, "ft2": 0.09290304, "mu": 10_000 / 15}
SPEEDS = {"m/s": 1.0, "km/h": 1 / 3.6, "mph": 0.44704, "kn": 1852 / 3600}
LINEAR = (LENGTHS, WEIGHTS, VOLUMES, AREAS, SPEEDS)
"""How much of the unit in the middle each one is; pints, gallons and cups are those of the United States."""
KELVIN = {"C": (1.0, 273.15), "F": (5 / 9, 459.67 * 5 / 9), "K": (1.0, 0.0)}
"""Factor and offset to kelvin."""


class ConvertUnits(Arguments):
    """Arguments of ``convert_units``."""

    value: Annotated[float, Field(allow_inf_nan=False, description="How much.")]
    unit: Annotated[Unit, Field(description="The unit that it is in.")]
    to: Annotated[Unit, Field(description="The unit that is wanted.")]


def convert(value: float, unit: str, to: str) -> float:
    """The same in another unit. Raises ``E_BAD_REQUEST`` where the two measure different things."""
    if unit in KELVIN and to in KELVIN:
        (factor, offset), (factor_to, offset_to) = KELVIN[unit], KELVIN[to]
        return (value * factor + offset - offset_to) / factor_to
    table = next((each for each in LINEAR if unit in each and to in each), None)
    if table is None:
        raise bad_request(f"{unit} and {to} do not measure the same.")
    return value * table[unit] / table[to]


async def convert_units(arguments: ConvertUnits, context: ToolContext) -> ToolResult:
    """The converted value. Nothing of it was written by anybody else, so nothing of it is untrusted."""
    found = convert(arguments.value, arguments.unit, arguments.to)
    told = re.sub(r"\.?0+$", "", f"{found:.4f}") if abs(found) >= 0.01 else f"{found:.6g}"
    return ToolResult(text=f"{arguments.value:g} {arguments.unit} = {told or '0'} {arguments.to}", untrusted=())


CONVERT_UNITS = Skill(
    name="convert_units",
    tools=(
        Tool(
            name="convert_units",
            description="Convert a length, weight, volume, area, speed or temperature into another unit.",
            arguments=ConvertUnits,
            run=convert_units,
            risk="low",
            capabilities=frozenset({"units.convert"}),
        ),
    ),
    sentences=(
        "How many kilometres are 12 miles?",
        "Convert 70 pounds into kilograms.",
        "What is 350 degrees Fahrenheit in Celsius?",
        "Express 3 gallons in litres, please.",
        "How much is half a cup in millilitres?",
        "What are 200 square feet in square metres?",
        "I need 5 feet 11 in centimetres.",
        "Turn 100 km/h into miles per hour.",
        "The recipe says 4 ounces, how many grams is that?",
        "My suitcase weighs 23 kilos; what is that in pounds?",
        "12英里是多少公里？",
        "把70磅换算成公斤。",
        "350华氏度等于多少摄氏度？",
        "3加仑合多少升？",
        "半杯是多少毫升？",
        "200平方英尺是多少平方米？",
        "一米八是几英尺几英寸？",
        "100亩等于多少公顷？",
        "五斤是多少克？",
    ),
    able="convert units · 换算单位",
)
ALL_UNITS = get_args(Unit)
