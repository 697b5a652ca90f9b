import { failContract } from './contract-errors.ts'
import type { DeepReadonly } from './readonly.ts'
import { type Static, Type, Value } from './schema.ts'
import { schemaProblems } from './schema-problems.ts'
import {
  type CaptionUse,
  type RequestSetting,
  requestSettings,
  type SettingName,
  settingConflicts,
  settingSchemas,
} from './settings.ts'

/** How frames of source videos are extracted; `auto` keeps alpha and is fast without. */
export const VideoFrameFormatSchema = settingSchemas.videoFrameFormat
export type VideoFrameFormat = Static<typeof VideoFrameFormatSchema>

/** What a caller asks for; every surface (CLI, config, servers) is checked against this schema. */
export const RenderRequestSchema = Type.Object(settingSchemas)
export type RenderRequest = DeepReadonly<Static<typeof RenderRequestSchema>>

/** A request as a caller writes it: what has a default may be left out. */
export type RenderRequestInput = Pick<RenderRequest, 'projectDir' | 'output'> & Partial<RenderRequest>

/** Whether a render uses captions in a way; drawing them is what it does without the setting. */
export const usesCaptions = (
  { captions = 'burn' }: Pick<Partial<RenderRequest>, 'captions'>,
  use: CaptionUse,
): boolean => captions.split(',').includes(use)

const isSet = (request: unknown, name: SettingName) => {
  const value = (request as Partial<RenderRequest>)[name]
  return value !== undefined && value !== false
}

/** The exact values of the settings that have them. */
const exactValues = (request: RenderRequest): Readonly<Record<string, number | string>> =>
  Object.fromEntries(
    Object.entries<RequestSetting>(requestSettings).flatMap(([name, { read }]) => {
      const value = request[name as SettingName]
      const exact = value === undefined ? undefined : read?.(value)
      return exact === undefined ? [] : [[name, exact]]
    }),
  )

/** Fills in defaults and refuses what does not fit, naming every wrong value at once. */
export const checkRequest = (input: RenderRequestInput): RenderRequest => {
  const request = Value.Default(RenderRequestSchema, Value.Clone(input))
  const problems = schemaProblems(RenderRequestSchema, request)
  const shown = (name: SettingName) => {
    const value = (request as RenderRequest)[name]
    return value === true ? name : `${name} ${String(value)}`
  }
  for (const [one, other] of settingConflicts)
    if (isSet(request, one) && isSet(request, other))
      problems.push(`${shown(one)} and ${shown(other)} cannot be combined`)
  if (problems.length > 0) throw failContract('VID_REQUEST_INVALID', { problems })
  return { ...(request as RenderRequest), ...exactValues(request as RenderRequest) }
}
