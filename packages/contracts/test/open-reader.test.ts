import fc from 'fast-check';
import Type, { type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { Actor } from '../src/accounts/actor.ts';
import * as accounts from '../src/accounts/rpc/methods.ts';
import { ApplicationEntry, KeyEntry, Principal } from '../src/applications/principal.ts';
import * as applications from '../src/applications/rpc.ts';
import { AuditEntry, AuditRecord } from '../src/audit/audit.ts';
import { AuditPublicKey } from '../src/audit/audit-log.ts';
import * as audit from '../src/audit/rpc.ts';
import { WebhookBody } from '../src/payments/event-types.ts';
import { PaymentEvent } from '../src/payments/events.ts';
import { Payment } from '../src/payments/payment.ts';
import * as payments from '../src/payments/rpc.ts';
import { openReader } from '../src/platform/open-reader.ts';
import type { RpcContract } from '../src/platform/rpc-contract.ts';
import * as usage from '../src/usage/rpc.ts';
import { UsageWindow } from '../src/usage/usage.ts';
import { DeliveryChange, WebhookEndpointChange } from '../src/webhooks/live-changes.ts';
import * as webhooks from '../src/webhooks/rpc.ts';
import { laterValues } from './values-of-schema.ts';

const RUNS_PER_SCHEMA = 50;

const messages: Record<string, TSchema> = {
  Actor,
  ApplicationEntry,
  AuditEntry,
  AuditPublicKey,
  AuditRecord,
  DeliveryChange,
  KeyEntry,
  Payment,
  PaymentEvent,
  Principal,
  UsageWindow,
  WebhookBody,
  WebhookEndpointChange,
};

const replies = [accounts, applications, audit, payments, usage, webhooks].flatMap((contracts) =>
  Object.values(contracts).filter((contract): contract is RpcContract => isContract(contract)),
);

function isContract(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'reply' in value;
}

function expectReadable(schema: TSchema): void {
  const { read, describeMismatch } = openReader(schema);
  fc.assert(
    fc.property(laterValues(schema), (value) => {
      if (read(value) === null && value !== null) throw new Error(describeMismatch(value));
    }),
    { numRuns: RUNS_PER_SCHEMA },
  );
}

describe('a value with extra fields and unknown enumeration values is read', () => {
  it.each(Object.entries(messages))(
    'a value with extra fields and unknown enumeration values is read as %s',
    (_name, schema) => expectReadable(schema),
  );

  it.each(replies.map((contract) => [`${contract.service}.${contract.method}`, contract] as const))(
    'a value with extra fields and unknown enumeration values is read as the reply of %s',
    (_name, { reply }) => expectReadable(reply),
  );

  it('whichever contract it belongs to', () => expect(replies.length).toBeGreaterThan(60));
});

describe('an open reader', () => {
  const Fruit = Type.Object(
    {
      name: Type.String(),
      color: Type.Enum(['red', 'green'] as const),
      ripe: Type.Boolean({ default: true }),
      tree: Type.Union([
        Type.Object({ age: Type.Integer(), tags: Type.Array(Type.String(), { default: [] }) }),
        Type.Null(),
      ]),
    },
    { additionalProperties: false },
  );
  const { read, describeMismatch } = openReader(Fruit);
  const apple = { name: 'apple', color: 'red', ripe: false, tree: null };

  it('an open reader returns a value that it knows completely', () => {
    expect(read(apple)).toEqual(apple);
  });

  it('an open reader keeps fields and enumeration values that it does not know', () => {
    const later = { ...apple, color: 'blue', weight: { grams: 90 } };
    expect(read(later)).toEqual(later);
  });

  it('an open reader fills in defaults of absent fields, at every depth', () => {
    const { ripe: _, ...earlier } = apple;
    const tree = { age: 3 };
    expect(read({ ...earlier, tree })).toEqual({ ...apple, ripe: true, tree: { age: 3, tags: [] } });
  });

  it('an open reader leaves the value that it reads unchanged', () => {
    const earlier = { name: 'apple', color: 'red', tree: { age: 3 } };
    read(earlier);
    expect(earlier).toEqual({ name: 'apple', color: 'red', tree: { age: 3 } });
  });

  it('an open reader shares no default between two values', () => {
    const earlier = { name: 'apple', color: 'red', tree: { age: 3 } };
    read(earlier)?.tree?.tags.push('changed');
    expect(read(earlier)?.tree?.tags).toEqual([]);
  });

  it.each([
    [
      'a missing field without a default',
      { color: 'red', ripe: true, tree: null },
      'the value must have required properties name',
    ],
    ['a field of another type', { ...apple, name: 3 }, '/name must be string'],
    ['an enumeration value of another type', { ...apple, color: 3 }, '/color must be string'],
    ['another type', 'apple', 'the value must be object'],
  ])('an open reader rejects and describes %s', (_what, value, description) => {
    expect(read(value)).toBeNull();
    expect(describeMismatch(value)).toBe(description);
  });
});
