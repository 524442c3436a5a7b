"""Reports: what developers get: Markdown in their tracker's own form, a regression, a checklist."""
