import { DAY_MS } from '@tollgate/contracts/platform/durations';
import type { KnownDevice } from './sealed-cookies.ts';

/** As long as the admin API knows a device. */
const LIFETIME_MS = 180 * DAY_MS;

/** Members who share a browser. With the longest emails, the cookie stays below the 4,096 bytes that browsers accept. */
const MAX_DEVICES = 4;

type Cookies = Pick<App.Locals['sealedCookies'], 'read' | 'write'>;

/** The token with which this browser is known for the member with this email. */
export async function findDeviceToken(cookies: Cookies, email: string): Promise<string | null> {
  const devices = (await cookies.read('devices')) ?? [];
  return devices.find((device) => device.email === comparable(email))?.token ?? null;
}

/** Remembers the browser for the member's next sign-in. Beyond four members, it forgets the one who has not signed in for longest. */
export async function rememberDevice(cookies: Cookies, { email, token }: KnownDevice): Promise<void> {
  const others = ((await cookies.read('devices')) ?? []).filter(
    (device) => device.email !== comparable(email),
  );
  const devices = [{ email: comparable(email), token }, ...others].slice(0, MAX_DEVICES);
  await cookies.write('devices', devices, new Date(Date.now() + LIFETIME_MS));
}

/** The admin API compares more forms of one address. A form that is not recognized here is an unknown device. */
function comparable(email: string): string {
  return email.trim().toLowerCase();
}
