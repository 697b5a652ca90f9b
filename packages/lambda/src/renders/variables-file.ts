import { describeCause } from '@vid/kernel'
import { readGivenFile } from '@vid/system'
import { InvalidConfigError } from '../invalid-config.ts'
import { jsonProblem } from './json-value.ts'

/** Values are data, such as texts and addresses: more is a mistake. */
const MAX_BYTES = 64 * 2 ** 20

/** The values of variables in a JSON file; throws InvalidConfigError when they cannot be read. */
export const readVariablesFile = async (
  path: string,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown>> => {
  const refuse = (problem: string) => new InvalidConfigError({ field: 'config.variablesFile', problem })
  const file = await readGivenFile(path, MAX_BYTES, signal).catch((thrown: unknown) => {
    signal?.throwIfAborted()
    throw refuse(`${path} cannot be read: ${describeCause(thrown)}`)
  })
  if ('bytes' in file) throw refuse(`${path} has ${file.bytes} bytes, and may have ${MAX_BYTES}`)
  let values: unknown
  try {
    values = JSON.parse(file.text)
  } catch (thrown) {
    throw refuse(`${path} is no JSON: ${describeCause(thrown)}`)
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw refuse(`${path} holds no JSON object`)
  const problem = jsonProblem(values)
  if (problem !== undefined) throw refuse(`in ${path}, ${problem}`)
  return values as Record<string, unknown>
}
