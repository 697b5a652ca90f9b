import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describeCause, isVidError, type VidError } from '@vid/kernel'
import { fail } from '../errors.ts'
import { throwErrors } from './flag-check.ts'

const MAX_BYTES = 1024 * 1024

const kindOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`

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

const readVariablesFile = async (path: string, cwd: string): Promise<string> => {
  const file = await open(resolve(cwd, path))
  try {
    const { size } = await file.stat()
    if (size > MAX_BYTES)
      throw fail('VID_VARIABLES_TOO_LARGE', {
        source: `--variables-file "${path}"`,
        bytes: size,
        maxBytes: MAX_BYTES,
      })
    // One byte more than allowed, so that a pipe, whose size reads as 0, is limited too.
    const buffer = Buffer.alloc(MAX_BYTES + 1)
    let length = 0
    for (let read = 1; read > 0 && length < buffer.length; length += read)
      ({ bytesRead: read } = await file.read(buffer, length, buffer.length - length, null))
    return new TextDecoder().decode(buffer.subarray(0, length))
  } finally {
    await file.close()
  }
}

/** Variables from `--variables` or `--variables-file`, relative to `cwd`; undefined when neither is given. */
export const readVariables = async (
  flags: { readonly variables?: string | undefined; readonly 'variables-file'?: string | undefined },
  cwd: string,
): Promise<Record<string, unknown> | undefined> => {
  if (flags.variables !== undefined) return parseVariables(flags.variables, '--variables')
  const path = flags['variables-file']
  if (path === undefined) return undefined
  const text = await readVariablesFile(path, cwd).catch((thrown: unknown) => {
    const { code } = thrown as { code?: string }
    if (code?.startsWith('VID_')) throw thrown
    throw fail('VID_VARIABLES_UNREADABLE', { path, reason: describeCause(thrown) }, { cause: thrown })
  })
  return parseVariables(text, `--variables-file "${path}"`)
}

/** What `checkFlags` found, with the variables; everything that is wrong is thrown as one error. */
export const readFlags = async <V extends Parameters<typeof readVariables>[0]>(
  { values: flags, errors }: { readonly values: V; readonly errors: readonly VidError[] },
  cwd: string,
) => {
  const problems = [...errors]
  const variables = await readVariables(flags, cwd).catch((thrown: unknown) => {
    if (!isVidError(thrown)) throw thrown
    problems.push(thrown)
    return {}
  })
  throwErrors(problems)
  return { flags, variables }
}
