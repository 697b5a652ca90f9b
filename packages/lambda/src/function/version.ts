import { readFile } from 'node:fs/promises'
import { fail } from '../errors.ts'

const MANIFEST = new URL('../../package.json', import.meta.url)

/** A version without what tells apart builds of it. */
const release = (version: string): string => version.replace(/\+.*$/, '')

/** Refuses what another version of this package has asked for: it may mean something else by it. */
export const checkVersion = async (asked: string): Promise<void> => {
  const { version } = JSON.parse(await readFile(MANIFEST, 'utf8')) as { readonly version: string }
  if (release(asked) !== release(version))
    throw fail('VID_LAMBDA_FUNCTION_VERSION', { asked: release(asked), own: release(version) })
}
