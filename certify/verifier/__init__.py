"""The verifier: Python's standard library alone, and nothing else of certify.

`python -I -S certify/verifier CERT...` re-checks certificates with nothing installed. All that one must believe is in
this folder; docs/CERTIFICATE.md says in words what it checks.
"""
