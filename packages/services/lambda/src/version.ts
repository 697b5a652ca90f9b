import { ownVersion } from './own-package.ts'

/** Version of this package: the function, the stack and callers who start renders must have the same one. */
export const version: string = ownVersion().replace(/\+.*$/s, '')
