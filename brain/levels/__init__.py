"""Service levels: begin with ``report``; ``bounds`` has the numbers, ``figures`` what each figure is made of."""
