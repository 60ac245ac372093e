/** What an adapter is called in logs and traces, beside the processes of Tollgate. */
export function adapterName(processor: string): string {
  return `adapter-${processor}`;
}
