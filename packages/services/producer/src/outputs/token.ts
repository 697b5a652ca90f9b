import { randomBytes } from 'node:crypto'

/** Generates a token of 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url')
