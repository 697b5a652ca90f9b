import { readFile } from 'node:fs/promises'

/** The manifest of this package; the path is the same from the sources and from the build. */
export const PACKAGE_JSON = new URL('../package.json', import.meta.url)

/** What `vid plugin create` and `vid init` copy besides. */
export const TEMPLATES = new URL('../dist/templates/', import.meta.url)

/** The compositions that `vid init` copies. */
export const EXAMPLES = new URL('../dist/examples/', import.meta.url)

/** The version of this package. */
export const commandVersion = async (): Promise<string> => {
  const text = await readFile(PACKAGE_JSON, 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
