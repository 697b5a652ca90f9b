import {
  type RequestSetting,
  refusedPath,
  requestSettings,
  schemaProblems,
  type TSchema,
  usesCaptions,
} from '@vid/protocol'
import { lambdaSurface } from '../contract/execution-input.ts'
import type { ConfigProblem } from '../errors.ts'
import { type RenderConfig, RenderConfigSchema } from './config-schema.ts'
import { jsonProblem } from './json-value.ts'

const CONFLICTS = [
  ['crf', 'videoBitrate'],
  ['scale', 'width'],
  ['scale', 'height'],
  ['variables', 'variablesFile'],
] as const satisfies readonly (readonly [keyof RenderConfig, keyof RenderConfig])[]

const schemas: Readonly<Record<string, TSchema>> = RenderConfigSchema.properties
const settings: Readonly<Record<string, RequestSetting>> = requestSettings

/** Why the value of a known field is invalid; undefined if it is valid. */
const problemOf = (field: string, schema: TSchema, value: unknown): string | undefined => {
  const [problem] = schemaProblems(schema, value)
  const { rule, read } = settings[field] ?? {}
  if (problem === undefined && (read === undefined || read(value) !== undefined)) return undefined
  // A value that only renders elsewhere take breaks another rule.
  if (rule !== undefined && read?.(value) === undefined) return `it must be ${rule}; got ${JSON.stringify(value)}`
  return problem
}

/** Files of captions beside the result are no part of it. */
const captionsProblem = (captions: string): string | undefined =>
  usesCaptions({ captions }, 'sidecar')
    ? 'burn and track are supported on AWS; for files beside the video, render with `vid render --captions sidecar`'
    : undefined

const entryProblem = (entry: string): string | undefined => {
  const names = entry.replace(/^\.\//, '').split('/')
  const isPlain = !names.includes('') && !names.includes('..')
  if (isPlain && refusedPath(names.join('/')) === null && Buffer.byteLength(entry) <= 1000) return undefined
  return `it must be the path of an HTML file in the project; got ${JSON.stringify(entry)}`
}

const fieldProblem = (field: string, value: unknown): string | undefined => {
  if (Object.hasOwn(lambdaSurface.missing, field)) return value === false ? undefined : lambdaSurface.missing[field]
  const schema = Object.hasOwn(schemas, field) ? schemas[field] : undefined
  if (schema === undefined) return 'the config of a render has no such field'
  // A value that is not JSON cannot be shown in the message of another problem either.
  const problem = jsonProblem(value) ?? problemOf(field, schema, value)
  if (problem !== undefined) return problem
  if (field === 'captions') return captionsProblem(value as string)
  return field === 'entry' ? entryProblem(value as string) : undefined
}

/** All problems of a render config on its own. */
export const configProblems = (config: unknown): readonly ConfigProblem[] => {
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    return [
      {
        field: 'config',
        problem: `it must be an object; got ${Array.isArray(config) ? 'a list' : String(config)}`,
      },
    ]
  const entries = Object.entries(config).filter(([, value]) => value !== undefined)
  const problems = entries.flatMap(([name, value]) => {
    const problem = fieldProblem(name, value)
    return problem === undefined ? [] : [{ field: `config.${name}`, problem }]
  })
  const names = new Set(entries.map(([name]) => name))
  for (const [field, other] of CONFLICTS)
    if (names.has(field) && names.has(other))
      problems.push({ field: `config.${other}`, problem: `it cannot be combined with ${field}` })
  const { growing, format } = config as RenderConfig
  if (growing === true && format !== 'hls')
    problems.push({ field: 'config.growing', problem: 'only hls can be played while it is rendered' })
  return problems
}
