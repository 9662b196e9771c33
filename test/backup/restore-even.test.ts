import { interruptedRestores } from "./restores";

interruptedRestores(0);
