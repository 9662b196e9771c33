import { changesLinks, holdToContract } from "./contract";

// Two files, since the changes of links take as long as all the rest and another worker can make them.
holdToContract((operation) => !changesLinks(operation));
