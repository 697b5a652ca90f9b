import { describeCause } from '@vid/protocol'
import { readGivenFile } from '@vid/system'
import { invalidConfig } from '../invalid-config.ts'
import { jsonProblem } from './json-value.ts'

/** Variable values are data, such as texts and addresses: a larger file is a mistake. */
const MAX_BYTES = 64 * 2 ** 20

/** Reads variable values from a JSON file; throws InvalidConfigError if that fails. */
export const readVariablesFile = async (
  path: string,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown>> => {
  const refuse = (problem: string) => invalidConfig({ field: 'config.variablesFile', problem })
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
