"""→ TaskResult. Where tasks run; blind to what they are about."""
