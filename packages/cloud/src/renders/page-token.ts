import { fail } from '../errors.ts'

const PREFIX = 'before '

/** The token of the page that begins after a render. */
export const tokenOf = (sequence: number): string => Buffer.from(`${PREFIX}${sequence}`).toString('base64url')

/** The place in the order of acceptance that a token stands for; VID_CLOUD_PARAMETER for anything else. */
export const readToken = (token: string): number => {
  const text = Buffer.from(token, 'base64url').toString()
  const sequence = Number(text.slice(PREFIX.length))
  if (Number.isSafeInteger(sequence) && sequence > 0 && tokenOf(sequence) === token) return sequence
  throw fail('VID_CLOUD_PARAMETER', { field: 'token', problem: 'is not the next_token of a page' })
}
