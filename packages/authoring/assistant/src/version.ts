import { readFile } from 'node:fs/promises'

/** The version of this package; its manifest is in the same place from the sources and from the build. */
export const assistantVersion = async (): Promise<string> => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
