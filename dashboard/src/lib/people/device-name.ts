/** Order matters: most browsers name the ones they descend from, too. */
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

/** Order matters: telephones name the systems that theirs descends from. */
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
 * What a person calls the device of a session: `Chrome on Windows`. User agents may say anything; this only helps to
 * recognise one's own, so unknown ones get a plain name rather than their text.
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
