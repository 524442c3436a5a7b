"""Reports of audits: on the terminal, as files for programs and CI servers, as a page."""
