import { changesLinks, holdToContract } from "./contract";

// A file of its own, since the changes of links take as long as the rest and can run in another worker.
holdToContract((operation) => !changesLinks(operation));
