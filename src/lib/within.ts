/** Resolves or rejects as `work` does, but rejects after `ms` milliseconds at the latest. */
export const within = <T>(work: Promise<T>, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("too slow")), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
