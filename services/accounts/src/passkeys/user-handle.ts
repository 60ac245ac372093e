/** Names the member to the authenticator. Not the email: authenticators may show it before they verify their user. */
export function userHandleOf(memberId: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(memberId);
}

/** @param handle in base64url; null from authenticators that do not store it */
export function isUserHandleOf(memberId: string, handle: string | null): boolean {
  return handle === null || handle === Buffer.from(userHandleOf(memberId)).toString('base64url');
}
