import { describeCause } from '@vid/protocol'
import { playerFailure } from './errors.ts'

/** The values that the attribute `variables` holds as JSON; VID_PLAYER_VARIABLES when it holds anything else. */
export const readVariablesAttribute = (text: string | null): Readonly<Record<string, unknown>> => {
  if (text === null || text.trim() === '') return {}
  const read = (): unknown => {
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw playerFailure('VID_PLAYER_VARIABLES', { reason: describeCause(cause) })
    }
  }
  const value = read()
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>
  throw playerFailure('VID_PLAYER_VARIABLES', { reason: 'it is another value' })
}
