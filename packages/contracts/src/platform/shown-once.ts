/**
 * Returns the secret or token of a created resource. It is null only in the reply to a repeated request, so only callers
 * that send an idempotency key need to expect that.
 */
export function shownOnce(secret: string | null): string {
  if (secret === null) throw new Error('The reply is a replay, which contains no secret.');
  return secret;
}
