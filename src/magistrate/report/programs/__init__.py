"""Reports for programs: JSON, JUnit, tables, and the JSON of VERA."""
