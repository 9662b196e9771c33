/** Settles like `work`, or rejects after `ms` milliseconds with a message. Does not cancel `work`. */
export const withTimeout = <T>(work: Promise<T>, ms: number, message = "Timed out"): Promise<T> =>
  new Promise((resolve, reject) => {
    // A timer without an end would end at once.
    const timer = Number.isFinite(ms) ? setTimeout(() => reject(new Error(message)), ms) : undefined;
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
