/** Whether a counter still lets a request through. One that fails, or is not there, lets it; so does a missing key. */
export async function passes(
  limiter: RateLimit | undefined,
  key: string | null | undefined,
): Promise<boolean> {
  if (limiter === undefined || key == null) return true;
  try {
    return (await limiter.limit({ key })).success;
  } catch {
    return true;
  }
}
