/** Returns how many messages of this kind failed verification at the process, for the reason or for any. */
export async function countUnverified(opsUrl: string, kind: string, reason = '[^"]*'): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  const sample = new RegExp(
    `^tollgate_unverified_messages_total\\{(?=[^}]*kind="${kind}")(?=[^}]*reason="${reason}")[^}]*\\} (\\d+)$`,
    'gm',
  );
  return [...metrics.matchAll(sample)].reduce((sum, [, count]) => sum + Number(count), 0);
}
