import { fail } from '../errors.ts'
import { isId } from '../ids.ts'

const PREFIX = 'after '

/** The token of the page that begins after a render: its client knows the id, and learns nothing else by it. */
export const tokenOf = (renderId: string): string => Buffer.from(`${PREFIX}${renderId}`).toString('base64url')

/** VID_CLOUD_PARAMETER for what is no token. */
export const refuseToken = () =>
  fail('VID_CLOUD_PARAMETER', { field: 'token', problem: 'is not the next_token of a page' })

/** The render that a token stands for; VID_CLOUD_PARAMETER for anything else. */
export const readToken = (token: string): string => {
  const renderId = Buffer.from(token, 'base64url').toString().slice(PREFIX.length)
  if (isId(renderId) && tokenOf(renderId) === token) return renderId
  throw refuseToken()
}
