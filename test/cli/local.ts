import { afterAll, beforeAll } from "vitest";
import { cleanUp, openLocal } from "./terminal";

type Local = Awaited<ReturnType<typeof openLocal>>;

/** Commands on a new local state, which the tests of a file share. `prepare` runs before them. */
export function localOfFile(prepare: (local: Local) => Promise<void> = async () => undefined) {
  let opened: Local | undefined;
  const local = (): Local => {
    if (opened === undefined) throw new Error("Only a test has a local state.");
    return opened;
  };
  beforeAll(async () => {
    opened = await openLocal();
    await prepare(opened);
  });
  afterAll(async () => {
    await opened?.dispose();
    cleanUp();
  });
  return {
    admin: (...argv: string[]) => local().admin(...argv),
    json: (...argv: string[]) => local().json(...argv),
    get env() {
      return local().env;
    },
    get state() {
      return local().state;
    },
  };
}
