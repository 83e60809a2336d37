"""Reports: what people and programs read of a run. Everything a judge or a dataset said is untrusted text here."""
