import { describeCause } from '@vid/kernel'

/** Why a result could not be placed at `path`: a scratch file beside it is named as the result that it was to be. */
export const placingReason = (cause: unknown, path: string): string =>
  describeCause(cause).replaceAll(/'[^']*\.vid-[^'/]*\.new(?:\/[^']*)?'/g, `'${path}'`)
