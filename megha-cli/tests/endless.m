% Prints until its reader leaves.
while true
    disp('more');
end
