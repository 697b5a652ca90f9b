import { fail } from '../errors.ts'
import { version } from '../version.ts'

/** A version without what tells apart builds of it. */
const release = (version: string): string => version.replace(/\+.*$/, '')

/** Refuses what another version of this package has asked for: it may mean something else by it. */
export const checkVersion = (asked: string): void => {
  const own = release(version)
  if (release(asked) !== own) throw fail('VID_LAMBDA_FUNCTION_VERSION', { asked: release(asked), own })
}
