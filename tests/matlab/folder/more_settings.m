limit = 2;
