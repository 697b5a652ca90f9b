// Writes the JSON Schema of vid.config.json; with --check it only compares.
import { readFile, writeFile } from 'node:fs/promises'
import { JsonConfigSchema } from '@vid/config'

const file = new URL('../packages/base/config/schema.json', import.meta.url)
const text = `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...JsonConfigSchema }, null, 2)}\n`
if (!process.argv.includes('--check')) await writeFile(file, text)
else if ((await readFile(file, 'utf8')) !== text) {
  console.error('packages/base/config/schema.json is out of step: run npm run lab -- config-schema')
  process.exit(1)
}
