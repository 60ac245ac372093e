/** Order matters: most browsers also name the browsers that they derive from. */
const PROGRAMS: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.+\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^(node|undici)\b/i, 'Node.js'],
];

/** Order matters: phones also name the systems that theirs derives from. */
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * A readable name for the device of a session: `Chrome on Windows`. A user agent can contain any text, and the name
 * only helps members recognize their own devices. Unknown user agents therefore get a generic name instead of their
 * text.
 */
export function deviceName(userAgent: string | null): string {
  const program = nameIn(PROGRAMS, userAgent ?? '');
  const system = nameIn(SYSTEMS, userAgent ?? '');
  if (program && system) return `${program} on ${system}`;
  return program ?? (system ? `Browser on ${system}` : 'Unknown device');
}

function nameIn(names: readonly [RegExp, string][], userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}
