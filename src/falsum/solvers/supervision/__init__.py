"""→ ProcessResult. Programs run under a supervisor process, limited, fenced in, and cleaned up."""
