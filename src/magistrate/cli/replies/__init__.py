"""Commands that read the replies of judges: parse, audit."""
