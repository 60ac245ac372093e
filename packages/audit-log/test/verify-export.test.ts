import type {
  AuditFinding,
  AuditHead,
  ExportHead,
  ExportLine,
  ExportRecord,
} from '@tollgate/contracts/audit/audit-log';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signHead } from '../src/head.ts';
import { recordLeaf } from '../src/record-leaf.ts';
import { type ExportVerification, type VerifyExportOptions, verifyExport } from '../src/verify-export.ts';
import {
  aRecord,
  buildLog,
  exportLog,
  linesOf,
  newSigningKey,
  recordLine,
  restoredLog,
  textOf,
  timeOf,
  verifyingKey,
} from './build-export.ts';

/** Heads 1 to 5. Head 3 has no records of its own, as after a quiet hour. */
const LOG = buildLog([5, 12, 12, 19, 30]);
const KEYS = [verifyingKey(LOG.key)];

function verify(
  lines: readonly ExportLine[],
  options: Partial<VerifyExportOptions> = {},
): Promise<ExportVerification> {
  return verifyExport(linesOf(textOf(lines)), { publicKeys: KEYS, ...options });
}

/** The same export with each line replaced by none, one, or several lines. */
function edited(
  lines: readonly ExportLine[],
  edit: (line: ExportLine) => ExportLine | ExportLine[],
): ExportLine[] {
  return lines.flatMap((line) => edit(structuredClone(line)));
}

function withRecord(seq: number, edit: (line: ExportRecord) => ExportLine | ExportLine[]) {
  return edited(exportLog(LOG), (line) =>
    line.type === 'record' && line.record.seq === seq ? edit(line) : line,
  );
}

function withHead(number: number, edit: (line: ExportHead) => ExportLine | ExportLine[]) {
  return edited(exportLog(LOG), (line) =>
    line.type === 'head' && line.head.number === number ? edit(line) : line,
  );
}

function recordAt(seq: number): ExportRecord {
  return LOG.lines.find((line) => line.type === 'record' && line.record.seq === seq) as ExportRecord;
}

function headAt(number: number): ExportHead {
  return LOG.lines.find((line) => line.type === 'head' && line.head.number === number) as ExportHead;
}

function changedIp(line: ExportRecord): ExportRecord {
  return {
    ...line,
    record: { ...line.record, context: { ...line.record.context, ip: '198.51.100.1' } },
  };
}

function rehashed(line: ExportRecord): ExportRecord {
  return { ...line, leaf_hash: recordLeaf(line.record) };
}

function seen({ findings }: ExportVerification): Pick<AuditFinding, 'code' | 'seq' | 'head_number'>[] {
  return findings.map(({ code, seq, head_number }) => ({ code, seq, head_number }));
}

async function* witnessOf(heads: unknown[]): AsyncGenerator<string> {
  for (const head of heads) yield JSON.stringify(head);
}

it('an export from the service is intact, with counts of what was checked', async () => {
  const result = await verify(exportLog(LOG));
  expect(result).toMatchObject({ isIntact: true, records: 30, heads: 5, findings: [], witness: null });
  expect(result.lastHead).toEqual(headAt(5).head);
});

it.each([2, 3, 4, 5])(
  'an export from the service is intact when it starts with head %i',
  async (firstHead) => {
    expect(await verify(exportLog(LOG, firstHead))).toMatchObject({ isIntact: true, heads: 6 - firstHead });
  },
);

it('an export from the service is intact when it has no records', async () => {
  expect(await verify(exportLog(buildLog([0], LOG.key)))).toMatchObject({ isIntact: true, records: 0 });
});

it('an export from the service is intact with a key without a version', async () => {
  const [key] = KEYS;
  expect(await verify(exportLog(LOG), { publicKeys: [{ ...key, version: null } as never] })).toMatchObject({
    isIntact: true,
  });
});

it('an export from the service is intact when all seals are checked', async () => {
  expect(await verify(exportLog(LOG), { everySeal: true })).toMatchObject({ isIntact: true });
});

it('an export from the service is intact with actions and fields of a later version of the platform', async () => {
  const future = buildLog([1]);
  const lines = exportLog({
    ...future,
    lines: futureLines(future.teamId, future.key),
  });
  expect(await verify(lines, { publicKeys: [verifyingKey(future.key)] })).toMatchObject({ isIntact: true });
});

function futureLines(teamId: string, key: ReturnType<typeof newSigningKey>): (ExportRecord | ExportHead)[] {
  const record = { ...aRecord(teamId, 1), action: 'moon.landed', gravity: 1.62 } as never;
  const line = recordLine(record, key);
  const unsigned = {
    team_id: teamId,
    number: 1,
    size: 1,
    root: line.leaf_hash,
    at: line.record.recorded_at,
    previous_hash: null,
  };
  return [line, { type: 'head', head: signHead(unsigned, key) }];
}

describe('a record', () => {
  const changed = [{ code: 'record-changed', seq: 8, head_number: null }];

  it('a record that was changed is reported, and nothing else', async () => {
    expect(seen(await verify(withRecord(8, changedIp)))).toEqual(changed);
  });

  it('a record that was changed and hashed again is reported, and nothing else', async () => {
    expect(seen(await verify(withRecord(8, (line) => rehashed(changedIp(line)))))).toEqual(changed);
  });

  it('a record that was backdated is reported', async () => {
    const backDated = withRecord(8, (line) =>
      rehashed({ ...line, record: { ...line.record, recorded_at: '2026-02-01T00:00:00.000Z' } }),
    );
    expect(seen(await verify(backDated))).toEqual(changed);
  });

  it('a record whose number was changed is reported with its original number', async () => {
    const renumbered = withRecord(8, (line) => ({ ...line, record: { ...line.record, seq: 1_000_000 } }));
    const result = await verify(renumbered);
    expect(seen(result)).toEqual(changed);
    expect(result.findings[0]?.record_id).toBe(recordAt(8).record.id);
  });

  it('a record that is malformed is reported', async () => {
    const broken = withRecord(8, (line) => ({ ...line, record: { seq: 'eight' } as never }));
    expect(seen(await verify(broken))).toEqual(changed);
  });

  it('a record is reported when only its hash was changed', async () => {
    const hash = withRecord(8, (line) => ({ ...line, leaf_hash: recordAt(9).leaf_hash }));
    expect(seen(await verify(hash))).toEqual(changed);
  });

  it('a record is reported when only its seal was changed and every seal is checked', async () => {
    const seal = withRecord(8, (line) => ({ ...line, seal: recordAt(9).seal }));
    expect(seen(await verify(seal, { everySeal: true }))).toEqual(changed);
  });

  it('a record with a duplicate name is reported: another reader may read the other value', async () => {
    const text = textOf(exportLog(LOG)).replace('"seq":8,', '"seq":8,"seq":8,');
    const result = await verifyExport(linesOf(text), { publicKeys: KEYS });
    expect(seen(result)).toEqual(changed);
  });

  it('a record that was deleted is reported with its number', async () => {
    const result = await verify(withRecord(8, () => []));
    expect(seen(result).slice(0, 1)).toEqual([{ code: 'record-missing', seq: 8, head_number: 2 }]);
  });

  it('a record that was deleted does not hide a much later change', async () => {
    const lines = edited(
      withRecord(8, () => []),
      (line) => (line.type === 'record' && line.record.seq === 25 ? rehashed(changedIp(line)) : line),
    );
    expect(seen(await verify(lines))).toContainEqual({ code: 'record-changed', seq: 25, head_number: null });
  });

  it('a record that was inserted is reported with its id', async () => {
    const foreign = rehashed({ ...recordAt(8), record: aRecord(LOG.teamId, 9) });
    const result = await verify(withRecord(8, (line) => [line, foreign]));
    expect(result.findings[0]).toMatchObject({ code: 'record-foreign', record_id: foreign.record.id });
  });

  it('a record of another team, sealed by the same service, is reported', async () => {
    const other = buildLog([12], LOG.key).lines[7] as ExportRecord;
    const result = await verify(withRecord(8, () => other));
    expect(result.findings[0]).toMatchObject({ code: 'record-foreign', record_id: other.record.id });
    expect(seen(result)).toContainEqual({ code: 'record-missing', seq: 8, head_number: 2 });
  });

  it('a record that was moved is reported, without those it passed', async () => {
    const moved = edited(exportLog(LOG), (line) => {
      if (line.type !== 'record') return line;
      if (line.record.seq === 21) return [];
      return line.record.seq === 28 ? [line, recordAt(21)] : line;
    });
    expect(seen(await verify(moved))).toEqual([{ code: 'record-out-of-place', seq: 21, head_number: null }]);
  });

  it.each([
    ['before the head before', 15, 7],
    ['to the beginning', 29, 1],
    ['after its head', 8, 15],
    ['to the end', 3, 30],
  ])('a record that was moved %s is reported', async (_, from, behind) => {
    const moved = edited(exportLog(LOG), (line) => {
      if (line.type !== 'record') return line;
      if (line.record.seq === from) return [];
      return line.record.seq === behind ? [line, recordAt(from)] : line;
    });
    expect((await verify(moved)).findings).toContainEqual(
      expect.objectContaining({ code: 'record-out-of-place', record_id: recordAt(from).record.id }),
    );
  });

  function logOf(times: { recorded_at?: string; occurred_at?: string }) {
    const genuine = aRecord(LOG.teamId, 1);
    const line = recordLine({ ...genuine, ...times }, LOG.key);
    const unsigned = { team_id: LOG.teamId, number: 1, size: 1, root: line.leaf_hash, previous_hash: null };
    const head = signHead({ ...unsigned, at: genuine.recorded_at }, LOG.key);
    return exportLog({ ...LOG, lines: [line, { type: 'head', head }] });
  }

  it('a record with an impossible recording time is reported', async () => {
    const late = logOf({ recorded_at: '2030-01-01T00:00:00.000Z' });
    expect(seen(await verify(late))).toEqual([{ code: 'record-time-invalid', seq: 1, head_number: null }]);
  });

  it('a record is not reported when its service had a fast clock', async () => {
    expect(seen(await verify(logOf({ occurred_at: '2030-01-01T00:00:00.000Z' })))).toEqual([]);
  });
});

it('a head that was changed is reported, and the records it covered are still checked', async () => {
  const lines = edited(
    withHead(2, ({ head }) => ({ type: 'head', head: { ...head, size: 11 } })),
    (line) => (line.type === 'record' && line.record.seq === 8 ? changedIp(line) : line),
  );
  expect(seen(await verify(lines))).toEqual([
    { code: 'head-signature-invalid', seq: null, head_number: 2 },
    { code: 'record-changed', seq: 8, head_number: null },
  ]);
});

it('a head that was signed with another key is reported', async () => {
  const { key_version: _, signature: __, ...unsigned } = headAt(5).head;
  const forged = signHead({ ...unsigned, root: recordAt(1).leaf_hash }, newSigningKey());
  expect(seen(await verify(withHead(5, () => ({ type: 'head', head: forged }))))).toEqual([
    { code: 'head-signature-invalid', seq: null, head_number: 5 },
  ]);
});

it('a head that was deleted is reported', async () => {
  const result = await verify(withHead(4, () => []));
  expect(seen(result)[0]).toEqual({ code: 'head-missing', seq: null, head_number: 4 });
});

it('a head that the service signed for another history is reported', async () => {
  const other = buildLog([5, 12, 12, 19, 30], LOG.key, LOG.teamId).lines;
  const head = other.find((line) => line.type === 'head' && line.head.number === 4) as ExportHead;
  const codes = seen(await verify(withHead(4, () => head))).filter(({ head_number }) => head_number === 4);
  expect(codes.map(({ code }) => code)).toEqual(['head-changed', 'root-differs']);
});

it.each([
  ['before that of the previous head', '2026-02-28T00:00:00.000Z'],
  ['after the export was created', '2027-01-01T00:00:00.000Z'],
])('a head with a time %s is reported', async (_, at) => {
  const { key_version: __, signature: ___, ...unsigned } = headAt(5).head;
  const head = signHead({ ...unsigned, at }, LOG.key);
  expect(seen(await verify(withHead(5, () => ({ type: 'head', head }))))).toContainEqual({
    code: 'head-time-invalid',
    seq: null,
    head_number: 5,
  });
});

it('a head that was swapped with another is reported', async () => {
  const swapped = edited(exportLog(LOG), (line) => {
    if (line.type !== 'head') return line;
    return line.head.number === 2 ? headAt(4) : line.head.number === 4 ? headAt(2) : line;
  });
  const named = seen(await verify(swapped));
  expect(named).toContainEqual({ code: 'head-out-of-place', seq: null, head_number: 2 });
  expect(named.filter(({ code }) => code.startsWith('record'))).toEqual([]);
});

it('an export that was shortened is reported when only lines were removed', async () => {
  const codes = seen(await verify(exportLog(LOG).slice(0, 20))).map(({ code }) => code);
  expect(codes).toContain('export-malformed');
  expect(codes).toContain('log-truncated');
});

it('an export that was shortened reports the first missing record when records, heads, and counts were removed', async () => {
  const lines = exportLog(LOG);
  const cut = [...lines.slice(0, 16), { type: 'end', records: 12, heads: 3 } as const];
  expect(cut[15]).toMatchObject({ type: 'head', head: { number: 3 } });
  expect(seen(await verify(cut))).toEqual([
    { code: 'log-truncated', seq: 13, head_number: null },
    { code: 'log-truncated', seq: null, head_number: 4 },
  ]);
});

it('an export that was shortened is detected by the signature of the first line when that was adjusted', async () => {
  const lines = edited(exportLog(LOG), (line) =>
    line.type === 'export' ? { ...line, last_head_number: 4, last_head_size: 19 } : line,
  );
  const cut = [...lines.slice(0, 24), { type: 'end', records: 19, heads: 4 } as const];
  expect(seen(await verify(cut))).toEqual([{ code: 'export-changed', seq: null, head_number: null }]);
});

it('an export that was shortened to nothing is not an export', async () => {
  expect(seen(await verify([]))).toEqual([{ code: 'export-malformed', seq: null, head_number: null }]);
});

describe('a witness', () => {
  const heads = LOG.lines.flatMap((line) => (line.type === 'head' ? [line.head] : []));

  it('a witness that saw the same heads agrees, in log lines as well as bare heads', async () => {
    const witness = witnessOf([
      heads[0],
      { msg: 'audit head', head: heads[1] },
      { msg: 'started' },
      heads[4],
    ]);
    expect(await verify(exportLog(LOG), { witness })).toMatchObject({
      isIntact: true,
      witness: { heads: 3, compared: 3 },
    });
  });

  it('a witness reveals that records and heads were removed together, in the database and before the export', async () => {
    const cut = { ...LOG, lines: LOG.lines.slice(0, 15) };
    expect(await verify(exportLog(cut))).toMatchObject({ isIntact: true });

    const { key_version: _, signature: __, ...last } = heads[2] as AuditHead;
    const grownAgain = signHead({ ...last, at: (heads[4] as AuditHead).at }, LOG.key);
    const lines = exportLog({
      ...LOG,
      lines: [...cut.lines.slice(0, 14), { type: 'head', head: grownAgain }],
    });
    const result = await verify(lines, { witness: witnessOf(heads) });
    expect(seen(result)).toEqual([
      { code: 'witness-differs', seq: null, head_number: 3 },
      { code: 'witness-differs', seq: null, head_number: 4 },
      { code: 'witness-differs', seq: null, head_number: 5 },
    ]);
  });

  it('a witness that saw heads before and after the export reports nothing', async () => {
    const early = { ...LOG, lines: LOG.lines.slice(0, 15) };
    const witness = witnessOf(heads);
    expect(await verify(exportLog(early, 2), { witness })).toMatchObject({ isIntact: true });
  });
});

describe('a log that was restored from a backup', () => {
  const headsOf = ({ lines }: typeof LOG) =>
    lines.flatMap((line) => (line.type === 'head' ? [line.head] : []));
  /** Continues from head 2, so that heads 3 to 5 of the log are those of the time before. */
  const RESTORED = restoredLog(LOG, 2, [14, 60]);

  it('a log that was restored from a backup is intact, and states the restore', async () => {
    expect(await verify(exportLog(RESTORED))).toMatchObject({
      isIntact: true,
      restores: [{ seq: 13, at: headAt(5).head.at, size: 12, headNumber: 2, abandonedHeads: 0 }],
    });
  });

  it('a log that was restored from a backup explains the tree heads that a witness saw before the restore', async () => {
    const witness = witnessOf([...headsOf(LOG), ...headsOf(RESTORED)]);
    expect(await verify(exportLog(RESTORED), { witness })).toMatchObject({
      isIntact: true,
      restores: [{ headNumber: 2, abandonedHeads: 3 }],
    });
  });

  it('a log that was restored from a backup does not explain them in an export that begins after the record of the restore', async () => {
    const result = await verify(exportLog(RESTORED, 4), { witness: witnessOf(headsOf(LOG)) });
    expect(seen(result)).toEqual([
      { code: 'witness-differs', seq: null, head_number: 3 },
      { code: 'witness-differs', seq: null, head_number: 4 },
      { code: 'witness-differs', seq: null, head_number: 5 },
    ]);
    expect(result.findings[0]?.detail).toContain('an export from the beginning of the log');
  });

  it('a log that was restored from a backup does not explain a tree head that the restored log must have', async () => {
    const { key_version: _, signature: __, ...second } = headAt(2).head;
    const other = signHead({ ...second, at: timeOf(12, 700) }, LOG.key);
    const result = await verify(exportLog(RESTORED), { witness: witnessOf([other]) });
    expect(seen(result)).toEqual([{ code: 'witness-differs', seq: null, head_number: 2 }]);
  });

  it('a log that was restored from a backup does not explain a tree head that was signed after the restore', async () => {
    const { key_version: _, signature: __, ...fourth } = headsOf(RESTORED)[3] as AuditHead;
    const other = signHead({ ...fourth, at: timeOf(31, 0) }, LOG.key);
    const result = await verify(exportLog(RESTORED), { witness: witnessOf([other]) });
    expect(seen(result)).toEqual([{ code: 'witness-differs', seq: null, head_number: 4 }]);
  });

  it('a log that was restored from a backup is not accepted for a record that the service did not seal', async () => {
    const restore = RESTORED.lines.find((line) => line.type === 'record' && line.record.seq === 13);
    const forged = { ...(restore as ExportRecord), seal: recordAt(12).seal };
    const cut = { ...LOG, lines: LOG.lines.slice(0, 14) };
    const lines = exportLog(cut);
    const result = await verify([...lines.slice(0, -1), forged, ...lines.slice(-1)], {
      witness: witnessOf([{ ...headAt(3).head }]),
    });
    expect(result.restores).toEqual([]);
    expect(result.isIntact).toBe(false);
  });
});

it('public keys of another service verify nothing, and that is reported once', async () => {
  const result = await verify(exportLog(LOG), { publicKeys: [verifyingKey(newSigningKey())] });
  expect(result.findingsCount).toBe(3);
  expect(result.findings.at(-1)?.detail).toContain('Check that the keys belong to this service.');
});

it('public keys in the export are used only on request', async () => {
  const forged = buildLog([5, 9]);
  expect(await verify(exportLog(forged))).toMatchObject({ isIntact: false });
  expect(await verify(exportLog(forged), { publicKeys: [], trustExportKeys: true })).toMatchObject({
    isIntact: true,
  });
  await expect(verify(exportLog(forged), { publicKeys: [] })).rejects.toThrow('at least one public key');
});

it('public keys of a version only verify signatures of that version', async () => {
  const [key] = KEYS;
  const result = await verify(exportLog(LOG), { publicKeys: [{ ...key, version: 2 } as never] });
  expect(result.isIntact).toBe(false);
});

describe('arbitrary file content', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('\ud800', -0, 2 ** 60, [], {}));
  const record = fc.record({ id: value, seq: value, team_id: value, occurred_at: value, recorded_at: value });
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    value.map((any) => JSON.stringify(any)),
    fc
      .record({ type: fc.constant('record'), leaf_hash: value, seal: value, record: fc.oneof(value, record) })
      .map((any) => JSON.stringify(any)),
    fc.record({ type: fc.constant('head'), head: value }).map((any) => JSON.stringify(any)),
    fc.constantFrom(
      ...textOf(exportLog(LOG)).trimEnd().split('\n'),
      '{"type":"record","record":{"seq":1e400}}',
      `{"type":"record","record":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ),
  );

  it('arbitrary file content is reported and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.boolean(), async (lines, hasHeader) => {
        const header = textOf(exportLog(LOG).slice(0, 1)).trimEnd();
        const text = [...(hasHeader ? [header] : []), ...lines].join('\n');
        const result = await verifyExport(linesOf(text), { publicKeys: KEYS, witness: linesOf(text) });
        expect(result.isIntact).toBe(false);
      }),
      { seed: 8785, numRuns: 300 },
    );
  });
});
