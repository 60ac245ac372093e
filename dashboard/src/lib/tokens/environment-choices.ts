import type { Environment } from '@tollgate/contracts/environment';

/** The environments that a token can be limited to, as options of a field. */
export const ENVIRONMENT_CHOICES = [
  { value: 'both', label: 'Live and sandbox', description: 'Limited only by the role.' },
  {
    value: 'sandbox',
    label: 'Sandbox only',
    description:
      'Reads and changes sandbox data only. Cannot change settings that live and the sandbox share.',
  },
  {
    value: 'live',
    label: 'Live only',
    description: 'Reads and changes live data only. Cannot change settings that live and the sandbox share.',
  },
] as const;

/** The environments of a token. Null: both. */
export function environmentsLabel(environments: readonly Environment[] | null): string {
  const [only] = environments ?? [];
  if (environments?.length !== 1 || only === undefined) return 'Live and sandbox';
  return only === 'live' ? 'Live only' : 'Sandbox only';
}
