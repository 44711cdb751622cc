"""The ground facts a certificate may rest on: one file for each kind, each able to check its witnesses."""
