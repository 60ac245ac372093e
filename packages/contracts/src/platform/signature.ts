import Type, { type Static } from 'typebox';

/** The processes that sign. */
export const ISSUERS = ['accounts', 'applications', 'gateway', 'payments', 'webhooks'] as const;
export type Issuer = (typeof ISSUERS)[number];

/** Everything that is signed, with the issuers that may sign it. */
export const SIGNED_KINDS = {
  principal: ['applications'],
  payment_event: ['payments'],
  usage_window: ['gateway'],
  sandbox_reset: ['payments'],
  /** Each action has its own issuer (`mayWriteAction`). */
  audit_entry: ISSUERS,
} as const satisfies Record<string, readonly Issuer[]>;
export type SignedKind = keyof typeof SIGNED_KINDS;

/** Proves that `issuer` wrote the value that contains it: Ed25519 over the canonical form of everything else in the value. */
export const Signature = Type.Object({
  issuer: Type.Enum(ISSUERS),
  key_version: Type.String(),
  /** Base64. */
  value: Type.String(),
  /** What `value` signs in place of the one canonical form: SHA-256 hashes, one of them of this value and its salt; base64url. */
  batch: Type.Optional(Type.Object({ salt: Type.String(), hashes: Type.Array(Type.String()) })),
});
export type Signature = Static<typeof Signature>;
