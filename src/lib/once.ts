/** The same result for all calls. A run that failed is not remembered: the next call tries again. */
export function once<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= run().catch((error) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}
