"""Means with 95 % intervals, for measurements repeated in rounds."""

import math
import statistics


def student_t(degrees):
    """The 97.5 % point of Student's t; by the expansion in 1/degrees, within 0.5 % from 4 degrees on."""
    z = statistics.NormalDist().inv_cdf(0.975)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / degrees**power for power, term in enumerate(terms, start=1))


def half_interval(values):
    """Half the 95 % interval of the mean; needs two values or more."""
    return student_t(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))


def ratio(numerators, denominators):
    """Geometric mean of the ratios of each round, with its interval and the standard error of its logarithm."""
    logs = [math.log(a / b) for a, b in zip(numerators, denominators, strict=True)]
    mean, half = statistics.fmean(logs), half_interval(logs)
    error = statistics.stdev(logs) / math.sqrt(len(logs))
    return {"ratio": math.exp(mean), "low": math.exp(mean - half), "high": math.exp(mean + half), "log_error": error}


def geometric_mean(ratios):
    """Geometric mean over models of what `ratio` gave; its interval says how well these models were measured."""
    mean = statistics.fmean(math.log(row["ratio"]) for row in ratios)
    error = math.sqrt(sum(row["log_error"] ** 2 for row in ratios)) / len(ratios)
    half = statistics.NormalDist().inv_cdf(0.975) * error
    return {"ratio": math.exp(mean), "low": math.exp(mean - half), "high": math.exp(mean + half)}
