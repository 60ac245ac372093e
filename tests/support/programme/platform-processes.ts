import type { Platform } from '../platform/platform.ts';
import type { PlatformProcess } from '../platform/platform-process.ts';

/** Every process of the platform, with a name such as `webhooks 2`. */
export function platformProcesses({
  instances,
  gateways,
}: Platform): { name: string; process: PlatformProcess }[] {
  const processes = { ...instances, gateway: gateways.map(({ process }) => process) };
  return Object.entries(processes).flatMap(([name, ofName]) =>
    ofName.map((process, index) => ({ name: `${name} ${index + 1}`, process })),
  );
}
