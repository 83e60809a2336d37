"""What the integrations share: the judge behind a framework, the metric inside one, inputs, failures."""
