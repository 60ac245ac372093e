/** Name of an adapter in logs and traces. */
export function adapterName(processor: string): string {
  return `adapter-${processor}`;
}
