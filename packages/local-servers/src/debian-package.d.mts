export function unpackDebianPackage(
  name: string,
  folder: string,
  say: (line: string) => void,
): Promise<boolean>;
