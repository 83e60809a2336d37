"""The layouts of plain text in which answers stand: ordered tables of readers that can be switched off."""
