import { failContract } from './contract-errors.ts'
import { type Static, Type, Value } from './schema.ts'
import { schemaProblems } from './schema-problems.ts'
import { type SettingName, settingConflicts, settingSchemas } from './settings.ts'

/** How frames of source videos are extracted; `auto` keeps alpha and is fast without. */
export const VideoFrameFormatSchema = settingSchemas.videoFrameFormat
export type VideoFrameFormat = Static<typeof VideoFrameFormatSchema>

/** What a caller asks for; every surface (CLI, config, servers) is checked against this schema. */
export const RenderRequestSchema = Type.Object(settingSchemas)
export type RenderRequest = Static<typeof RenderRequestSchema>

/** A request as a caller writes it: what has a default may be left out. */
export type RenderRequestInput = Pick<RenderRequest, 'projectDir' | 'output'> & Partial<RenderRequest>

const isSet = (request: unknown, name: SettingName) => {
  const value = (request as Partial<RenderRequest>)[name]
  return value !== undefined && value !== false
}

/** Fills in defaults and refuses what does not fit, naming every wrong value at once. */
export const checkRequest = (input: RenderRequestInput): RenderRequest => {
  const request = Value.Default(RenderRequestSchema, Value.Clone(input))
  const problems = schemaProblems(RenderRequestSchema, request)
  const shown = (name: SettingName) => {
    const value = (request as RenderRequest)[name]
    return value === true ? name : `${name} ${JSON.stringify(value)}`
  }
  for (const [one, other] of settingConflicts)
    if (isSet(request, one) && isSet(request, other))
      problems.push(`${shown(one)} and ${shown(other)} cannot be combined`)
  if (problems.length > 0) throw failContract('VID_REQUEST_INVALID', { problems })
  return request as RenderRequest
}

/** Something a user should know that does not stop the render. */
export interface Warning {
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly plugin?: string
}

/** Time that one plugin spent in one hook. */
export interface Timing {
  readonly plugin: string
  readonly hook: string
  calls: number
  ms: number
}

/** A finished render. */
export interface RenderResult {
  readonly outputPath: string
  /** Bytes. */
  readonly fileSize: number
  /** Length of the video. */
  readonly durationMs: number
  readonly renderTimeMs: number
  readonly frames: number
  readonly warnings: readonly Warning[]
  /** Time spent in each plugin, by hook. */
  readonly timings?: readonly Timing[]
  /** The further files of a render with several outputs. */
  readonly outputs?: readonly Pick<RenderResult, 'outputPath' | 'fileSize'>[]
}

/** What a render tells its observers, in order. */
export type RenderEvent =
  | { readonly type: 'render-start'; readonly outputPath: string }
  | {
      readonly type: 'render-progress'
      readonly stage: 'plan' | 'render' | 'join' | 'deliver'
      /** 0 … 1 over the whole render. */
      readonly progress: number
      readonly framesRendered: number
      readonly totalFrames: number
    }
  | {
      readonly type: 'segment-complete'
      readonly index: number
      readonly frames: number
      /** Why it was not rendered anew. */
      readonly reused?: string
    }
  | { readonly type: 'warning'; readonly warning: Warning }
  | ({ readonly type: 'render-complete' } & RenderResult)
  | {
      readonly type: 'render-error'
      readonly error: { code: string; message: string; hint: string; plugin?: string; hook?: string }
    }

/** How far a render is; joining and delivering take the last two hundredths. */
export const progressEvent = (
  stage: Extract<RenderEvent, { type: 'render-progress' }>['stage'],
  framesRendered: number,
  totalFrames: number,
): RenderEvent => {
  const progress = stage === 'deliver' ? 1 : totalFrames && (framesRendered / totalFrames) * 0.98
  return { type: 'render-progress', stage, progress, framesRendered, totalFrames }
}
