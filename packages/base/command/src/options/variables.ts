import { resolve } from 'node:path'
import { describeCause } from '@vid/protocol'
import { fail } from '../errors.ts'

const MAX_BYTES = 1024 * 1024

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`)

/** Position and reason of a JSON syntax error. */
const findFault = async (text: string) => {
  const { parseTree, printParseErrorCode } = await import('jsonc-parser')
  const faults: { error: number; offset: number }[] = []
  parseTree(text, faults as never, { disallowComments: true, allowTrailingComma: false })
  const { offset, error } = faults[0] ?? { offset: text.length, error: undefined }
  const before = text.slice(0, offset).split('\n')
  const reason =
    error === undefined
      ? 'invalid text'
      : printParseErrorCode(error)
          .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
          .toLowerCase()
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, reason }
}

/** The object of variables in a JSON text; `source` names the text in errors. */
export const parseVariables = async (text: string, source: string): Promise<Record<string, unknown>> => {
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_BYTES) throw fail('VID_VARIABLES_TOO_LARGE', { source, bytes, maxBytes: MAX_BYTES })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw fail('VID_VARIABLES_JSON', { source, ...(await findFault(text)) }, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fail('VID_VARIABLES_NOT_OBJECT', { source, found: kindOf(value) })
  return value as Record<string, unknown>
}

const readVariablesFile = async (path: string, cwd: string, signal: AbortSignal): Promise<string> => {
  const { readGivenFile } = await import('@vid/system')
  const file = await readGivenFile(resolve(cwd, path), MAX_BYTES, signal)
  if ('text' in file) return file.text
  const facts = { source: `--variables-file "${path}"`, bytes: file.bytes, maxBytes: MAX_BYTES }
  throw fail('VID_VARIABLES_TOO_LARGE', facts)
}

/** Variables from `--variables` or `--variables-file`, relative to `cwd`; undefined when neither is given. */
export const readVariables = async (
  options: { readonly variables?: string | undefined; readonly 'variables-file'?: string | undefined },
  cwd: string,
  signal: AbortSignal,
): Promise<Record<string, unknown> | undefined> => {
  if (options.variables !== undefined) return parseVariables(options.variables, '--variables')
  const path = options['variables-file']
  if (path === undefined) return undefined
  const text = await readVariablesFile(path, cwd, signal).catch((thrown: unknown) => {
    signal.throwIfAborted()
    const { code } = thrown as { code?: string }
    if (code?.startsWith('VID_')) throw thrown
    throw fail('VID_VARIABLES_UNREADABLE', { path, reason: describeCause(thrown) }, { cause: thrown })
  })
  return parseVariables(text, `--variables-file "${path}"`)
}

/** The file of variables, which no output may replace. */
export const inputsOf = (options: { readonly 'variables-file'?: string | undefined }) =>
  options['variables-file'] === undefined ? {} : { inputs: [options['variables-file']] }
