"""What calls a provider: LiteLLM carries a request that Instructor shaped; their types do not leave this folder."""
