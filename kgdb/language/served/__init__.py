"""Language models behind an OpenAI-compatible server: requests, retries, lenient parsing."""
