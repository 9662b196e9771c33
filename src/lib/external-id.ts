/**
 * The name before the first colon: that of the links file, or of another program, that owns the link and may undo what somebody
 * else changes in it.
 */
export const ownerOf = (externalId: string | null): string | undefined =>
  /^([^:]+):./.exec(externalId ?? "")?.[1];
