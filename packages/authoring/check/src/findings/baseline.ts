import { readFile } from 'node:fs/promises'
import { describeCause, schemaProblems, Type, Value } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { CheckFinding } from '../events.ts'
import { writeResult } from './write-result.ts'

/** Findings that are old: their rules, places and texts, without times and numbers. */
const BaselineSchema = Type.Object({
  version: Type.Literal(1),
  findings: Type.Array(
    Type.Object({
      rule: Type.String(),
      element: Type.Union([Type.String(), Type.Null()]),
      message: Type.String(),
    }),
  ),
})

/** What a finding is known by: an edit elsewhere moves it in time and in the file, and changes numbers. */
const entryOf = ({ rule, where, message }: CheckFinding) => ({
  rule,
  element: where.element,
  message: message.replace(/#[0-9a-f]{6}\b|\d+(?:\.\d+)?/g, '#'),
})

const keyOf = (entry: object) => JSON.stringify(entry)

/** Writes findings as the old ones. */
export const writeBaseline = async (
  path: string,
  findings: readonly CheckFinding[],
  signal: AbortSignal,
): Promise<void> => {
  const entries = [...new Map(findings.map(entryOf).map((entry) => [keyOf(entry), entry])).values()]
  await writeResult(path, `${JSON.stringify({ version: 1, findings: entries }, null, 2)}\n`, signal)
}

/** Reads a baseline; reports of a finding whether it has it. */
export const readBaseline = async (
  path: string,
  shown: string,
  signal: AbortSignal,
): Promise<(finding: CheckFinding) => boolean> => {
  const refuse = (reason: string, cause?: unknown) => fail('VID_CHECK_BASELINE', { path: shown, reason }, { cause })
  const text = await readFile(path, { encoding: 'utf8', signal }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw refuse(describeCause(cause), cause)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw refuse('it is not JSON', cause)
  }
  const [problem] = schemaProblems(BaselineSchema, value)
  if (problem !== undefined || !Value.Check(BaselineSchema, value)) throw refuse(problem ?? 'it has another shape')
  const keys = new Set(value.findings.map(({ rule, element, message }) => keyOf({ rule, element, message })))
  return (finding) => keys.has(keyOf(entryOf(finding)))
}
