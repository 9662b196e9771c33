import { interruptedRestores } from "./restores";

interruptedRestores(1);
