import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RootImport } from './reach.ts'

/** Scopes of font packages. They are found by the font families of pages, so no import leads to them. */
const SCOPES = ['@fontsource', '@fontsource-variable'] as const
const CARRIER = '@vid/fonts-popular'

/** Finds the font packages that a render in a folder could use. */
export const fontRoots = async (folders: readonly string[]): Promise<readonly RootImport[]> => {
  const roots: RootImport[] = folders.map((from) => ({ specifier: CARRIER, from }))
  for (const start of folders)
    for (let from = start; ; from = dirname(from)) {
      for (const scope of SCOPES) {
        const names = await readdir(join(from, 'node_modules', scope)).catch(() => [])
        roots.push(...names.map((name) => ({ specifier: `${scope}/${name}`, from })))
      }
      if (from === dirname(from)) break
    }
  return roots
}
