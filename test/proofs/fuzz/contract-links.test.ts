import { changesLinks, holdToContract } from "./contract";

holdToContract(changesLinks);
