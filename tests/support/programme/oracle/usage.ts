import type { History } from '../history.ts';

/** A gateway that is down has received nothing. */
const NOT_SENT = 'ECONNREFUSED';

/** Lists keys whose usage is not what the driver saw. A request without a response may or may not be counted. */
export function wrongUsage({ operations, keys, usage }: History): string[] {
  const attempts = Map.groupBy(
    operations.flatMap((operation) => operation.attempts),
    ({ keyId }) => keyId,
  );
  return keys.flatMap(({ id, name }) => {
    const ofKey = attempts.get(id) ?? [];
    const least = ofKey.filter(({ isCounted }) => isCounted === true).length;
    const unknown = ofKey.filter(({ isCounted, code }) => isCounted === null && code !== NOT_SENT).length;
    const counted = usage.get(id) ?? 0;
    if (counted >= least && counted <= least + unknown) return [];
    return [`${name} (${id}) has ${counted} requests instead of ${least} to ${least + unknown}`];
  });
}
