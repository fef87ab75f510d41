import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from '../support/bundle.mjs';

// Runs the official JSON Schema test suite, of which a clone is given:  npm run schema-suite -- PATH
// What does not apply is counted and not held against anybody: schemas that lead to other documents, which are never fetched,
// dialects other than the two that are served, and the choice of 2020-12 not to check formats, which are checked here.

const suite = process.argv[2];
if (suite === undefined || !existsSync(join(suite, 'tests/draft7'))) {
  console.error('Usage: npm run schema-suite -- PATH, where PATH is a clone of json-schema-org/JSON-Schema-Test-Suite');
  process.exit(2);
}

const core = join(dirname(fileURLToPath(import.meta.url)), '../../packages/core/src');
const work = mkdtempSync(join(tmpdir(), 'schema-suite-'));
const { compileSchema } = await bundled().finally(() => rmSync(work, { recursive: true, force: true }));

const notServed = /leads to another document|dialect .* is not supported|it is not an object/;
const formatIsNote = 'is only an annotation by default';
const dialects = [
  { folder: 'draft2020-12', $schema: 'https://json-schema.org/draft/2020-12/schema' },
  { folder: 'draft7', $schema: 'http://json-schema.org/draft-07/schema#' },
];

let failed = false;
for (const { folder, $schema } of dialects) {
  const root = join(suite, 'tests', folder);
  const files = readdirSync(root, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.json'));
  for (const part of ['required', 'optional']) {
    const count = { passed: 0, failed: 0, 'not applicable': 0 };
    for (const file of files.filter((path) => path.startsWith('optional') === (part === 'optional'))) {
      for (const group of JSON.parse(readFileSync(join(root, file), 'utf8')))
        await runGroup(file, group, $schema, count);
    }
    console.log(`${folder} ${part}: ${JSON.stringify(count)}`);
  }
}
process.exitCode = failed ? 1 : 0;

/**
 * @param {string} file
 * @param {{ description: string, schema: any, tests: { description: string, data: unknown, valid: boolean }[] }} group
 * @param {string} $schema
 * @param {{ passed: number, failed: number, 'not applicable': number }} count
 */
async function runGroup(file, { description, schema, tests }, $schema, count) {
  let compiled;
  try {
    compiled = compileSchema(typeof schema === 'object' ? { $schema, ...schema } : schema, { side: 'output' });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    if (!notServed.test(message)) report(file, description, message);
    count[notServed.test(message) ? 'not applicable' : 'failed'] += tests.length;
    return;
  }
  for (const { description: what, data, valid } of tests) {
    const { ok } = await compiled.check(data);
    if (ok === valid) count.passed += 1;
    else if (what.endsWith(formatIsNote)) count['not applicable'] += 1;
    else {
      count.failed += 1;
      report(file, description, what);
    }
  }
}

/** @param {string[]} what */
function report(...what) {
  failed = true;
  console.log(`FAIL ${what.join(' | ')}`);
}

async function bundled() {
  const outfile = join(work, 'compile.mjs');
  await bundle(join(core, 'schema/compile.ts'), outfile);
  return import(pathToFileURL(outfile).href);
}
