"""`python -m certify` is the command line."""
from .cli import main

main()
