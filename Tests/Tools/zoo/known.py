"""What isn't right in ours, each with its reason. A kind that is right again has to leave this list by hand."""

KNOWN = {
}

# Damaged files that a decoder doesn't survive, or doesn't come back from.
KNOWN_DAMAGE = {
}
