"""What people look at: figures, and the verifier for the browser."""
