/** Asks in the terminal and returns the answer as typed. */
export type Ask = (question: string) => Promise<string>;

export const isOneOf = <T extends string>(allowed: readonly T[], text: unknown): text is T =>
  allowed.some((one) => one === text);

/** Asks until the answer is allowed. An empty one is the fallback. */
export async function askForOneOf<T extends string>(
  ask: Ask,
  question: string,
  allowed: readonly T[],
  fallback: T,
): Promise<T> {
  const answer = (await ask(question)).trim().toLowerCase() || fallback;
  return isOneOf(allowed, answer)
    ? answer
    : askForOneOf(ask, `"${answer}" is none of them. ${question}`, allowed, fallback);
}
