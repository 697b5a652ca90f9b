import { describeCause, failRender, type VidError } from '@vid/protocol'

/** The error of a result that cannot be written to `path`: a scratch file beside it is named as the result. */
export const outputUnwritable = (path: string, cause: unknown): VidError => {
  const reason = describeCause(cause).replaceAll(/'[^']*\.vid-[^'/]*\.new(?:\/[^']*)?'/g, `'${path}'`)
  return failRender('VID_OUTPUT_UNWRITABLE', { path, reason }, { cause })
}
