import { fail } from '../errors.ts'
import { isId } from '../ids.ts'

const PREFIX = 'after '

/** The token of the page that starts after a render; reveals only the render's id, which the client knows. */
export const tokenOf = (renderId: string): string => Buffer.from(`${PREFIX}${renderId}`).toString('base64url')

/** VID_CLOUD_PARAMETER for an invalid token. */
export const refuseToken = () =>
  fail('VID_CLOUD_PARAMETER', { field: 'token', problem: 'is not the next_token of a page' })

/** The render of a token; fails with VID_CLOUD_PARAMETER if the token is invalid. */
export const readToken = (token: string): string => {
  const renderId = Buffer.from(token, 'base64url').toString().slice(PREFIX.length)
  if (isId(renderId) && tokenOf(renderId) === token) return renderId
  throw refuseToken()
}
