import type { Environment } from '@tollgate/contracts/platform/environment';

/** The environments that a token can be limited to, as options of a field. */
export const ENVIRONMENT_CHOICES = [
  { value: 'both', label: 'Live and sandbox', description: 'Limited only by the role.' },
  {
    value: 'sandbox',
    label: 'Sandbox only',
    description: 'Sandbox data only. Settings that both environments share are read-only.',
  },
  {
    value: 'live',
    label: 'Live only',
    description: 'Live data only. Settings that both environments share are read-only.',
  },
] as const;

/** The environments of a token. Null: both. */
export function environmentsLabel(environments: readonly Environment[] | null): string {
  const [only] = environments ?? [];
  if (environments?.length !== 1 || only === undefined) return 'Live and sandbox';
  return only === 'live' ? 'Live only' : 'Sandbox only';
}
