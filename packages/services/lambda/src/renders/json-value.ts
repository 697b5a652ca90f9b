import { describeCause, isTooDeep, MAX_NESTING } from '@vid/protocol'

const TOO_DEEP = `it nests deeper than ${MAX_NESTING} levels`

/** Why a part of a value would change in JSON; undefined if none would. */
const changedPart = (value: unknown, path: string): string | undefined => {
  const subject = path === '' ? 'it' : path
  if (typeof value === 'number' && !Number.isFinite(value)) return `${subject} is ${value}, which JSON does not have`
  if (typeof value === 'function' || typeof value === 'symbol')
    return `${subject} is a ${typeof value}, which JSON does not have`
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) return `${subject} has half a character`
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const inside = path === '' ? name : `${path}.${name}`
    if (/\p{Surrogate}/u.test(name)) return `the name of ${inside} has half a character`
    const problem = changedPart(inner, inside)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Why a value would change if it is sent as JSON; undefined if it would not. */
export const jsonProblem = (value: unknown): string | undefined => {
  try {
    JSON.stringify(value)
  } catch (thrown) {
    return thrown instanceof RangeError ? TOO_DEEP : `it must be JSON: ${describeCause(thrown)}`
  }
  return isTooDeep(value) ? TOO_DEEP : changedPart(value, '')
}
