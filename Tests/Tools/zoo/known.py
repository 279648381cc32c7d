"""Known faults of Vitrine, with their reasons. Remove a kind from this list by hand when it is fixed."""

KNOWN = {
}

# Damaged files that crash a decoder or make it hang.
KNOWN_DAMAGE = {
}
