% queue and stack in while
queue = 1; head = 1; visited = zeros(1, 10); order = [];
while head <= numel(queue)
  v = queue(head); head = head + 1;
  if visited(v)
    continue
  end
  visited(v) = 1;
  order(end+1) = v;
  for w = [2*v, 2*v+1]
    if w <= 10
      queue(end+1) = w;
    end
  end
end
fprintf('%g ', order); fprintf('%g ', numel(queue)); fprintf('\n');
