import { fail } from '../errors.ts'
import { version } from '../version.ts'

/** Refuses requests of another version of this package, which may mean something else. */
export const checkVersion = (requested: string): void => {
  if (requested !== version) throw fail('VID_LAMBDA_FUNCTION_VERSION', { asked: requested, own: version })
}
