"""→ TaskResult. Runs tasks in processes or on a cluster, without knowing what they do."""
