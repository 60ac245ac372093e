import type { Environment } from '@tollgate/contracts/platform/environment';
import { formRejection, transportRejection } from '@tollgate/outbound/url-form';

/** Why the form of a URL rules it out as an endpoint; null when it is valid. The address policy checks what its host resolves to. */
export function urlRejection(text: string, environment: Environment): string | null {
  const form = formRejection(text, environment);
  if (form !== null) return form;
  const transport = transportRejection(new URL(text), environment);
  return transport === null ? null : `In the live environment ${transport}.`;
}
