const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

export function isHigher(version: string, other: string): boolean {
  const [numbers, others] = [version, other].map((text) => text.split('.').map(Number));
  const index = numbers?.findIndex((number, i) => number !== others?.[i]) ?? -1;
  return index >= 0 && (numbers?.[index] ?? 0) > (others?.[index] ?? 0);
}
