"""What several tests need: a provider on loopback, a ledger in memory."""
