"""Prints decimal128 operations with their results, as Python's decimal module computes them.

Usage: decimal128_cases.py SEED COUNT

A line is: operation, operands, result, separated by tabs. Results keep their exponent: 1.50 is not 1.5 here.
"""
import random
import sys
from decimal import Context, Decimal, ROUND_HALF_EVEN

CONTEXT = Context(prec=34, Emin=-6143, Emax=6144, clamp=1, rounding=ROUND_HALF_EVEN, traps=[])

EDGES = [
    "0", "-0", "0E+6111", "-0E-6176", "1", "-1", "10", "1.0", "1.00", "5", "0.5", "2", "3", "7",
    "9999999999999999999999999999999999", "-9999999999999999999999999999999999",
    "9999999999999999999999999999999999E+6111", "-9999999999999999999999999999999999E+6111",
    "1E+6144", "1E+6111", "1E-6143", "1E-6176", "-1E-6176", "9E-6176", "5E-6176",
    "1000000000000000000000000000000000", "5000000000000000000000000000000000",
    "0.9999999999999999999999999999999999", "1.000000000000000000000000000000001",
    "18446744073709551615", "18446744073709551616", "340282366920938463463374607431768211455E-5",
    "Infinity", "-Infinity", "NaN", "-NaN", "sNaN",
]


def text(value):
    """A number as sign, coefficient and exponent, or its name."""
    if value.is_nan() or value.is_infinite():
        return "NaN" if value.is_nan() else str(value)
    sign, digits, exponent = value.as_tuple()
    return f"{'-' if sign else ''}{''.join(map(str, digits))}E{exponent}"


def number(source):
    """A random decimal128 number, of any length, near 0, near the limits, or an edge."""
    kind = source.random()
    if kind < 0.1:
        return CONTEXT.create_decimal(source.choice(EDGES))
    length = source.choice([1, 2, 3, 8, 16, 17, 19, 20, 33, 34, source.randint(1, 34)])
    digits = "".join(source.choice("0123456789") for _ in range(length))
    if source.random() < 0.2:
        digits = source.choice("59") * length
    if source.random() < 0.2:
        digits = digits[: max(1, length // 2)].ljust(length, source.choice("09"))
    if kind < 0.6:
        exponent = source.randint(-40, 40)
    elif kind < 0.8:
        exponent = source.choice([-6176, -6175, -6143, 6111, 6100, -3088, 3055]) + source.randint(-36, 36)
    else:
        exponent = source.randint(-6220, 6150)
    return CONTEXT.create_decimal(f"{source.choice(['', '-'])}{digits}E{exponent}")


def long_text(source):
    """A text to be read: often more than 34 digits, with a point or not, with an exponent or not."""
    length = source.choice([1, 5, 33, 34, 35, 36, 37, 38, 39, 40, 60, 120])
    digits = "".join(source.choice(source.choice(["05", "09", "0123456789", "0"])) for _ in range(length))
    if source.random() < 0.3:
        digits = digits[:34].ljust(34, "1") + "5" + "0" * source.randint(0, 20) + source.choice(["", "1"])
    if source.random() < 0.6:
        place = source.randint(0, len(digits))
        digits = digits[:place] + "." + digits[place:]
    exponent = ""
    if source.random() < 0.6:
        exponent = source.choice("eE") + source.choice(["", "+", "-"]) + str(source.choice(
            [0, 1, 5, 40, source.randint(0, 100), source.randint(6000, 6300), 123456789012]))
    return source.choice(["", "-", "+"]) + digits + exponent


def comparison(left, right):
    if left.is_nan() or right.is_nan():
        return "?"
    return "<" if left < right else ">" if left > right else "="


def main():
    source = random.Random(int(sys.argv[1]))
    operations = {"+": CONTEXT.add, "-": CONTEXT.subtract, "*": CONTEXT.multiply, "/": CONTEXT.divide}
    lines = []
    edges = [CONTEXT.create_decimal(edge) for edge in EDGES]
    pairs = [(left, right) for left in edges for right in edges]
    for index in range(int(sys.argv[2])):
        operation = source.choice("++--**//cp")
        if operation == "p":
            written = long_text(source)
            lines.append(f"p\t{written}\t\t{text(CONTEXT.create_decimal(written))}")
            continue
        left, right = pairs[index] if index < len(pairs) else (number(source), number(source))
        if source.random() < 0.15 and left.is_finite() and left != 0:
            # Neighbours and equal numbers of other exponents: where comparing and cancelling are delicate.
            right = source.choice([
                CONTEXT.next_plus(left), CONTEXT.next_minus(left), left.copy_negate(), CONTEXT.normalize(left),
                CONTEXT.multiply(left, Decimal("1.000000")), CONTEXT.scaleb(left, source.randint(-36, 36))])
        if operation == "c":
            result = comparison(left, right)
        else:
            result = text(operations[operation](left, right))
        lines.append(f"{operation}\t{left}\t{right}\t{result}")
    sys.stdout.write("\n".join(lines) + "\n")


main()
