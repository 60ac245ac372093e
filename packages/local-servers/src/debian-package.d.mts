export function unpackDebianPackage(
  name: string,
  folder: string,
  say: (line: string) => void,
  options?: { withDependencies?: boolean },
): Promise<boolean>;
