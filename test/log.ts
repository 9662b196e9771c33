/** The log lines of this worker's tests. `setup.ts` keeps them off the screen. */
export const logged: string[] = [];
