import { readFile } from 'node:fs/promises';
import { loadPyodide } from 'pyodide';
import type { GenerateRequest } from './python-requests.ts';

/** quicktype parses times with python-dateutil. The standard library can read RFC 3339 as well. */
const DATEUTIL_PARSER = 'from datetime import datetime\n\nparse = datetime.fromisoformat\n';

/**
 * Runs `journey` of a Python file with generated types and requests, and returns its JSON. Python runs as WebAssembly, so
 * that no installation is required.
 */
export async function runPythonJourney(
  files: { types: string; journey: string; requests: string },
  generateRequest: GenerateRequest,
): Promise<string> {
  // Generated code prints each response.
  const python = await loadPyodide({ stdout: () => {} });
  python.FS.mkdirTree('/journey/dateutil');
  python.FS.writeFile('/journey/payments.py', await readFile(files.types, 'utf8'));
  python.FS.writeFile('/journey/journey.py', await readFile(files.journey, 'utf8'));
  python.FS.writeFile('/journey/requests.py', await readFile(files.requests, 'utf8'));
  python.FS.writeFile('/journey/dateutil/__init__.py', '');
  python.FS.writeFile('/journey/dateutil/parser.py', DATEUTIL_PARSER);
  python.runPython('import sys; sys.path.insert(0, "/journey")');
  // A promising call lets Python wait for responses as if they were synchronous.
  return python.pyimport('journey').journey.callPromising(generateRequest);
}
