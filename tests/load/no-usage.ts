/** Replaces the gateway's usage module with one that does nothing. */
export function createGatewayUsage() {
  return {
    countResponses: () => undefined,
    countAborted: () => undefined,
    startShipping: () => undefined,
    stop: async () => undefined,
  };
}
