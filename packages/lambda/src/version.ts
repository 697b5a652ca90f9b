import { ownVersion } from './own-package.ts'

/** Version of this package: the function, the stack and who starts renders must have the same. */
export const version: string = ownVersion().replace(/\+.*$/, '')
