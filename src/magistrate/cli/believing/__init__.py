"""Commands about how far a judge can be believed."""
