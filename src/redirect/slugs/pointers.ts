// Which link a slug opens. Every change that visitors can see increments the slug's revision and queues a push to KV.
