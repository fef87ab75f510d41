import { redFilesIn } from '../scripts/red-files.mjs';

// Names the files of a report that are red, a line each. Fails where there are none, or more than so many.

const [most, report] = process.argv.slice(2);
const red = redFilesIn(report);
if (red.length === 0 || red.length > Number(most)) {
  console.error(`${red.length} files are red`);
  process.exit(1);
}
for (const name of red) console.log(name);
