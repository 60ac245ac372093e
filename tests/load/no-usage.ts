/** Replaces the gateway's usage module with one that does nothing. */
export function createGatewayUsage() {
  return {
    countResponse: (_operation: unknown, _request: unknown, _response: unknown, noted: () => void) => noted(),
    countResponses: () => undefined,
    countAborted: () => undefined,
    startShipping: () => undefined,
    stop: async () => undefined,
  };
}
