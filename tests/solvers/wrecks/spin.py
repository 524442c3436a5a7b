"""Never answers, busily."""

while True:
    pass
