import type { SourceChange } from '../support/platform/changed-sources/source-change.ts';

/** A guard of the platform that is removed, and the test that must notice. */
export interface Mutation {
  guard: string;
  changes: readonly SourceChange[];
  /** Path of the test file. */
  test: string;
  /** Part of the failure: the violation that the guard prevents. */
  finds: RegExp;
}

export const MUTATION_VARIABLE = 'FAULTS_MUTATION';

export const MUTATIONS: readonly Mutation[] = [
  {
    guard: 'unique index of idempotency keys',
    changes: [
      {
        file: 'payments/src/store/payment-indexes.ts',
        from: '    unique: true,\n    partialFilterExpression: { [path]',
        to: '    partialFilterExpression: { [path]',
      },
    ],
    test: 'tests/system/faults/programmes/responses-lost.test.ts',
    finds: /duplicated payment/,
  },
  {
    guard: 'sweep of the outbox',
    changes: [
      {
        file: 'payments/src/outbox/payment-outbox.ts',
        from: 'const found = await relay.sweep();',
        to: 'const found = 0;',
      },
    ],
    test: 'tests/system/faults/programmes/servers-fail.test.ts',
    finds: /has no delivery|is not published/,
  },
  {
    guard: 'push of revocations',
    changes: [
      {
        file: 'gateway/src/authentication/principals.ts',
        from: 'const entry = readEntry(entryKey, value, tables);',
        to: "if ((value as { status?: string } | null)?.status === 'revoked') return;\n    const entry = readEntry(entryKey, value, tables);",
      },
    ],
    test: 'tests/system/faults/programmes/gateway-partitioned.test.ts',
    finds: /key-\d+ is rejected|accepted revoked key/,
  },
  {
    guard: 'staleness of keys',
    changes: [
      {
        file: 'gateway/src/authentication/principals.ts',
        from: 'clock.now() - confirmedAt > maxStalenessMs',
        to: 'false',
      },
    ],
    test: 'tests/system/faults/programmes/gateway-partitioned.test.ts',
    finds: /accepted revoked key/,
  },
  {
    guard: 'usage on disk before the response',
    changes: [
      {
        file: 'gateway/src/usage/usage-spool.ts',
        from: 'for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);',
        to: 'if (bytes.length < 0) writeSync(file, bytes);',
      },
    ],
    test: 'tests/system/faults/programmes/random-kills.test.ts',
    finds: /wrong usage/,
  },
  {
    guard: 'signature of API keys',
    changes: [
      {
        file: 'gateway/src/authentication/principals.ts',
        from: 'if (check.fault !== null) {',
        to: 'if (check.fault === undefined) {',
      },
    ],
    test: 'tests/system/attacks/forged-principals.test.ts',
    finds: /the gateway counts the forged entry/,
  },
  {
    guard: 'seals of histories',
    changes: [
      {
        file: 'payments/src/seals/verified-payments.ts',
        from: 'return fault === null;',
        to: 'return true;',
      },
    ],
    test: 'tests/system/attacks/forged-events.test.ts',
    finds: /payments counts it|to have a length of 1 but got 3/,
  },
  {
    guard: 'signature of requests to payments',
    changes: [
      {
        file: 'payments/src/http/authenticate.ts',
        from: 'return verifyPrincipal(internalSigningKeys, headers, signed, clock.now());',
        to: "return JSON.parse(Buffer.from(headers.principal ?? '', 'base64url').toString());",
      },
    ],
    test: 'tests/system/attacks/replayed-request.test.ts',
    finds: /to deeply equal \[ 401, 'unauthenticated' \]/,
  },
];

/** The changes of the mutation that the environment names; none in a normal run. */
export function mutationUnderTest(): readonly SourceChange[] {
  const guard = process.env[MUTATION_VARIABLE];
  if (guard === undefined) return [];
  const mutation = MUTATIONS.find((each) => each.guard === guard);
  if (mutation === undefined) throw new Error(`No mutation removes the guard "${guard}".`);
  return mutation.changes;
}
