"""What is seen: table views, chronicles and statistics, made from events alone."""
