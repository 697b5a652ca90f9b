import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Compiles each component of a folder into a script beside it, with the compiler that is installed above it. */
export const compileSvelte = (folder) => {
  const { compile } = createRequire(join(folder, 'index.js'))('svelte/compiler')
  for (const name of readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.svelte'))) {
    const file = join(folder, name)
    writeFileSync(`${file}.js`, compile(readFileSync(file, 'utf8'), { filename: name }).js.code)
  }
}
