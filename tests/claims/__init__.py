"""Every claim of the Frank-Wolfe paper on seeded instances, against a second computation that shares no code."""
