import { fail } from '../errors.ts'
import { version } from '../version.ts'

/** Refuses what another version of this package has asked for: it may mean something else by it. */
export const checkVersion = (requested: string): void => {
  if (requested !== version) throw fail('VID_LAMBDA_FUNCTION_VERSION', { asked: requested, own: version })
}
