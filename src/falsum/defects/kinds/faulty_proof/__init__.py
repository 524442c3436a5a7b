"""Faulty proofs, and the programs that check proofs."""
