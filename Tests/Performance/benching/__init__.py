"""What Tests/Performance/bench is made of."""
