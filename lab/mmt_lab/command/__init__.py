"""What the laboratory's verbs understand, and how they end."""
