/** The lines of the log since the tests of this worker began; `setup.ts` keeps them off the screen. */
export const logged: string[] = [];
