import { BUCKET_COUNT } from '@tollgate/contracts/log-linear-histogram';
import { UsageWindow, type UsageWindowRow } from '@tollgate/contracts/usage';
import { Compile } from 'typebox/compile';

const schema = Compile(UsageWindow);

/** Why the body is not a valid window; null when it is. */
export function describeFault(body: unknown): string | null {
  const [error] = schema.Errors(body);
  if (error) return `${error.instancePath || 'the message'} ${error.message}`;
  const index = (body as UsageWindow).rows.findIndex((row) => !hasSoundLatency(row));
  return index === -1
    ? null
    : `/rows/${index}/latency must contain each request once, in ascending order of buckets below ${BUCKET_COUNT}`;
}

function hasSoundLatency({ requests, latency }: UsageWindowRow): boolean {
  let previous = -1;
  let counted = 0;
  for (const [bucket, count] of latency) {
    if (bucket <= previous || bucket >= BUCKET_COUNT) return false;
    previous = bucket;
    counted += count;
  }
  return counted === requests;
}
