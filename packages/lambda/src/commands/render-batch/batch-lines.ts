import { resolve } from 'node:path'
import { defineErrors, describeCause, isTooDeep, isVidError, MAX_NESTING, nearest, type VidError } from '@vid/kernel'
import { renderErrors } from '@vid/render'
import { readGivenFile } from '@vid/system'
import { fail } from '../../errors.ts'

/** A batch file is refused by the codes of `vid render --batch`. */
const failBatch = defineErrors(renderErrors)

/** One render of a batch. */
export interface BatchLine {
  /** Counted from 1, as editors do. */
  readonly inputLine: number
  /** Key of the result in the bucket. */
  readonly outputKey: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** The lines of a batch file, and what is wrong with the others. */
export interface BatchFile {
  readonly lines: readonly BatchLine[]
  /** Number of lines without anything on them. */
  readonly blank: number
  readonly errors: readonly VidError[]
}

const MAX_BYTES = 64 * 1024 * 1024
const FIELDS = ['outputKey', 'variables']

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const found = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `${typeof value}`

/** What is wrong with the value of a line. */
const problemsOf = (value: unknown): readonly string[] => {
  if (!isObject(value)) return [`it is ${found(value)}, not an object`]
  if (isTooDeep(value)) return [`it nests deeper than ${MAX_NESTING} levels`]
  const { outputKey, variables = {} } = value
  const unknown = Object.keys(value).filter((name) => !FIELDS.includes(name))
  return [
    ...(outputKey === undefined ? ['outputKey is missing'] : []),
    ...(outputKey !== undefined && typeof outputKey !== 'string'
      ? [`outputKey must be a string; got ${found(outputKey)}`]
      : []),
    ...(isObject(variables) ? [] : [`variables must be an object; got ${found(variables)}`]),
    ...unknown.map((name) => {
      const near = nearest(name, FIELDS)
      return `there is no field "${name}"${near === undefined ? '' : `; did you mean ${near}?`}`
    }),
  ]
}

const parse = (text: string): { readonly value: unknown } | { readonly problem: string } => {
  try {
    return { value: JSON.parse(text) }
  } catch (thrown) {
    return { problem: `it is not JSON: ${describeCause(thrown)}` }
  }
}

/** Reads the text of a batch: one JSON object a line. */
export const parseBatch = (text: string): BatchFile => {
  const lines: BatchLine[] = []
  const errors: VidError[] = []
  let blank = 0
  const written = text.split('\n')
  // The last line ends with a line break, which begins no other.
  if (written.at(-1) === '') written.pop()
  for (const [index, each] of written.entries()) {
    const inputLine = index + 1
    if (each.trim() === '') {
      blank += 1
      continue
    }
    const parsed = parse(each)
    const problems = 'problem' in parsed ? [parsed.problem] : problemsOf(parsed.value)
    errors.push(...problems.map((problem) => fail('VID_LAMBDA_BATCH_LINE', { line: inputLine, problem })))
    if ('problem' in parsed || problems.length > 0) continue
    const { outputKey, variables = {} } = parsed.value as Omit<BatchLine, 'inputLine'>
    lines.push({ inputLine, outputKey, variables })
  }
  return { lines, blank, errors }
}

/** Reads a batch file; `path` starts at `cwd`. */
export const readBatch = async (path: string, cwd: string, signal: AbortSignal): Promise<BatchFile> => {
  const read = await readGivenFile(resolve(cwd, path), MAX_BYTES, signal).catch((cause: unknown) => {
    signal.throwIfAborted()
    if (isVidError(cause)) throw cause
    throw failBatch('VID_BATCH_UNREADABLE', { path, reason: describeCause(cause) }, { cause })
  })
  if ('bytes' in read) throw failBatch('VID_BATCH_TOO_LARGE', { path, bytes: read.bytes, maxBytes: MAX_BYTES })
  const file = parseBatch(read.text)
  if (file.lines.length === 0 && file.errors.length === 0) throw failBatch('VID_BATCH_EMPTY', { path })
  return file
}

/** Lines whose result would replace that of an earlier one, or lie among the images of another. */
export const findSameKeys = (lines: readonly BatchLine[], isFolder: boolean): readonly VidError[] => {
  const taken = new Map<string, number>()
  const errors: VidError[] = []
  const refuse = (line: number, problem: string) => errors.push(fail('VID_LAMBDA_BATCH_LINE', { line, problem }))
  for (const { inputLine, outputKey } of lines) {
    const other = taken.get(outputKey)
    if (other !== undefined) refuse(inputLine, `its outputKey "${outputKey}" is also that of line ${other}`)
    else taken.set(outputKey, inputLine)
  }
  if (!isFolder) return errors
  for (const { inputLine, outputKey } of lines) {
    const parts = outputKey.split('/')
    const outer = parts.flatMap((_, index) => taken.get(parts.slice(0, index).join('/')) ?? [])
    if (outer[0] !== undefined) refuse(inputLine, `its outputKey "${outputKey}" is inside that of line ${outer[0]}`)
  }
  return errors
}
