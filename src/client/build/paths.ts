import { fileURLToPath } from "node:url";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const PACKAGE = at("../");
export const DIST = at("../dist/");
export const GENERATED = at("../generated/");
/** The service's code finds its libraries here, because the root may not be installed. */
export const MODULES = at("../node_modules/");
