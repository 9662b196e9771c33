/** The log lines of a file's tests. `setup.ts` keeps them off the screen, and `secrets.ts` takes them at the end. */
export const logged: string[] = [];
