/** Why a mutant may live, and which: its file, the code as it is and as the mutant has it. */
export const SURVIVORS: readonly { why: string; mutants: readonly string[] }[] = [];
