"""Says sat and prints half of a model."""

print('sat\n(\n  (define-fun x () Int\n    4)\n  (define-fun y () String "a')
