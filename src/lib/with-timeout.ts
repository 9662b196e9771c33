/** Settles like `work`, or rejects after `ms` milliseconds. Does not cancel `work`. */
export const withTimeout = <T>(work: Promise<T>, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("Timed out")), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
