import { defineErrors, describeCause, nearest, type VidError } from '@vid/protocol'
import { findCollisions, readRowsText, renderErrors, rowProblem } from '@vid/render'
import { fail } from '../../errors.ts'

/** A batch file is refused with the error codes of `vid render --batch`. */
const failBatch = defineErrors(renderErrors)

/** One render of a batch. */
export interface BatchLine {
  /** Counted from 1, as in editors. */
  readonly inputLine: number
  /** Key of the result in the bucket. */
  readonly outputKey: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** The lines of a batch file, and the problems of the others. */
export interface BatchFile {
  readonly lines: readonly BatchLine[]
  /** Number of empty lines. */
  readonly blank: number
  readonly errors: readonly VidError[]
}

const FIELDS = ['outputKey', 'variables']

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `${typeof value}`

/** The problems of a line's value. */
const problemsOf = (value: unknown): readonly string[] => {
  const problem = rowProblem(value)
  if (problem !== undefined) return [problem]
  const { outputKey, variables = {} } = value as Record<string, unknown>
  const unknown = Object.keys(value as object).filter((name) => !FIELDS.includes(name))
  return [
    ...(outputKey === undefined ? ['outputKey is missing'] : []),
    ...(outputKey !== undefined && typeof outputKey !== 'string'
      ? [`outputKey must be a string; got ${kindOf(outputKey)}`]
      : []),
    ...(kindOf(variables) === 'object' ? [] : [`variables must be an object; got ${kindOf(variables)}`]),
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

/** Parses the text of a batch: one JSON object per line. */
export const parseBatch = (text: string): BatchFile => {
  const lines: BatchLine[] = []
  const errors: VidError[] = []
  let blank = 0
  const textLines = text.split('\n')
  // The line break at the end does not begin another line.
  if (textLines.at(-1) === '') textLines.pop()
  for (const [index, line] of textLines.entries()) {
    const inputLine = index + 1
    if (line.trim() === '') {
      blank += 1
      continue
    }
    const parsed = parse(line)
    const problems = 'problem' in parsed ? [parsed.problem] : problemsOf(parsed.value)
    errors.push(...problems.map((problem) => fail('VID_LAMBDA_BATCH_LINE', { line: inputLine, problem })))
    if ('problem' in parsed || problems.length > 0) continue
    const { outputKey, variables = {} } = parsed.value as Omit<BatchLine, 'inputLine'>
    lines.push({ inputLine, outputKey, variables })
  }
  return { lines, blank, errors }
}

/** Reads a batch file; `path` is relative to `cwd`. */
export const readBatch = async (path: string, cwd: string, signal: AbortSignal): Promise<BatchFile> => {
  const file = parseBatch(await readRowsText(path, { cwd, signal }))
  if (file.lines.length === 0 && file.errors.length === 0) throw failBatch('VID_BATCH_EMPTY', { path })
  return file
}

/** Finds lines whose result would replace that of an earlier line, or lie among the images of another. */
export const findSameKeys = (lines: readonly BatchLine[], isFolder: boolean): readonly VidError[] => {
  const outputs = lines.map(({ inputLine, outputKey }) => ({
    inputLine,
    row: `line ${inputLine}`,
    name: `outputKey "${outputKey}"`,
    key: outputKey,
  }))
  return findCollisions(outputs, { hasFolders: isFolder }).map(({ output: { inputLine: line }, problem }) =>
    fail('VID_LAMBDA_BATCH_LINE', { line, problem }),
  )
}
